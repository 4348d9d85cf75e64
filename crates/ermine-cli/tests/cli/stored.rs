//! What is in a store, read without the program.

#[path = "../../src/wait.rs"]
mod waiting;

use std::path::Path;
use std::sync::Arc;

use ermine::Sqlite;
use ermine_core::{
    Answer, Backend, Engine, Id, Include, MAX_LIMIT, Page, Query, Read, Schema, SchemaMode, Scope,
    Storage, Target, TenantScope,
};
pub(crate) use waiting::wait;

/// A document as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stored {
    pub(crate) id: Id,
    pub(crate) body: String,
    /// The hash of the text its vector was made from.
    pub(crate) hash: Option<String>,
    pub(crate) has_vector: bool,
}

/// Every document of the collection `documents`, in the order of their ids; at most
/// as many as one read returns.
pub(crate) fn documents(store: &Path) -> Vec<Stored> {
    let engine = wait(Sqlite::file(store).connect()).unwrap();
    let declarations = wait(engine.declarations()).unwrap();
    let Some(declaration) = declarations.iter().find(|d| d.schema.name() == "documents") else {
        return Vec::new();
    };
    wait(engine.ensure(declaration, SchemaMode::Assert)).unwrap();
    read(&engine, &declaration.schema)
}

fn read(engine: &Engine, schema: &Arc<Schema>) -> Vec<Stored> {
    let query = Read::Query(Query {
        target: Target {
            schema: schema.clone(),
            scope: Scope::live(TenantScope::Untenanted),
            filter: None,
        },
        order: Vec::new(),
        page: Page::first(MAX_LIMIT),
        include: Include::default(),
    });
    let mut answers = wait(engine.read(&[query])).unwrap();
    let Some(Answer::Records(records)) = answers.pop() else {
        panic!("no records")
    };
    assert!(records.len() < MAX_LIMIT);
    let ids = records.iter().map(|record| record.id.clone()).collect();
    let vectors = Read::Vectors {
        schema: schema.clone(),
        tenant: None,
        field: 0,
        ids,
    };
    let mut answers = wait(engine.read(&[vectors])).unwrap();
    let Some(Answer::Vectors(states)) = answers.pop() else {
        panic!("no vectors")
    };
    assert_eq!(states.len(), records.len());
    let documents = records
        .into_iter()
        .zip(states)
        .map(|(record, state)| Stored {
            id: record.id,
            body: record.body,
            has_vector: state.as_ref().is_some_and(|state| state.present),
            hash: state.and_then(|state| state.hash),
        });
    documents.collect()
}
