//! E3: what a unit writes is written together.

use std::sync::Arc;

use ermine_core::{
    Answer, ErrorKind, Expected, Id, IdType, Include, Op, Put, PutMode, Read, Result, Schema,
    Scope, Storage, Target, TenantScope, Token,
};
use ermine_store::Store;

use super::kit::{LONG, Log, advance, append, archive, commit, park};
use crate::facts::Verdict;
use crate::facts::kit::refused;

event_facts![
    e3_events_and_documents_are_written_together_or_not_at_all,
    e3_a_token_has_the_position_of_its_units_last_event,
    e3_a_read_that_shows_the_token_of_events_is_answered,
];

/// The type of the documents.
async fn declared(log: &Log) -> Result<Arc<Schema>> {
    let schema = Schema::builder("plain", "id", IdType::Text).build()?;
    let store = Store::builder(log.engine.clone()).schema(schema);
    Ok(Arc::clone(store.open().await?.dynamic("plain")?.schema()))
}

fn put(schema: &Arc<Schema>, id: &str, mode: PutMode) -> Op {
    Op::Put(Box::new(Put {
        schema: Arc::clone(schema),
        tenant: None,
        id: id.into(),
        mode,
        body: format!("{{\"id\":\"{id}\"}}"),
        columns: Vec::new(),
        vectors: Vec::new(),
        text: None,
    }))
}

/// The ids of those documents that are stored.
async fn stored(log: &Log, schema: &Arc<Schema>, at_least: Option<Token>) -> Result<Vec<Id>> {
    let include = Include {
        at_least,
        ..Include::default()
    };
    let target = Target {
        schema: Arc::clone(schema),
        scope: Scope::live(TenantScope::Untenanted),
        filter: None,
    };
    let ids = ["a", "b", "c"].map(Id::from).into();
    let get = Read::Get {
        target,
        ids,
        include,
    };
    match log.engine.read(&[get]).await?.as_slice() {
        [Answer::Records(found)] => Ok(found.iter().map(|record| record.id.clone()).collect()),
        other => panic!("documents were read, and {other:?} answered"),
    }
}

async fn e3_events_and_documents_are_written_together_or_not_at_all(log: Log) -> Verdict {
    let schema = declared(&log).await?;
    let there = put(&schema, "a", PutMode::Insert);
    log.commit([there.clone(), append("s", Expected::Missing, ["x"])])
        .await?;
    let new = || put(&schema, "b", PutMode::Insert);
    // Whichever fails, and wherever it stands, takes the others along.
    let conflict = [
        new(),
        append("t", Expected::Any, ["x"]),
        archive("s"),
        append("t", Expected::Version(7), ["x"]),
    ];
    let exists = [
        append("t", Expected::Any, ["x"]),
        park("shard", 1, "why"),
        new(),
        there,
    ];
    refused(log.commit(conflict).await, ErrorKind::Conflict, &["t"]);
    refused(log.commit(exists).await, ErrorKind::AlreadyExists, &["a"]);
    let epoch = log.take("shard", "me", LONG).await?.epoch;
    let superseded = [
        new(),
        append("t", Expected::Any, ["x"]),
        advance("shard", epoch, 5, 6),
    ];
    refused(
        log.commit(superseded).await,
        ErrorKind::Superseded,
        &["shard"],
    );
    assert_eq!(stored(&log, &schema, None).await?, [Id::from("a")]);
    assert_eq!(log.all().await?.len(), 1);
    assert_eq!(log.version("t").await?, 0);
    assert!(log.parked("shard", 0, 10).await?.is_empty());
    log.commit([new(), append("s", Expected::Version(1), ["x"])])
        .await?;
    assert_eq!(stored(&log, &schema, None).await?.len(), 2);
    Ok(())
}

async fn e3_a_token_has_the_position_of_its_units_last_event(log: Log) -> Verdict {
    let committed = log
        .commit([
            append("a", Expected::Any, ["x", "x"]),
            append("b", Expected::Any, ["x"]),
            append("b", Expected::Any, []),
            archive("none such"),
        ])
        .await?;
    let last = log.all().await?.last().map(|event| event.position);
    assert!(last.is_some());
    assert_eq!(committed.token.position(), last);
    let without = log.commit([archive("a")]).await?;
    assert_eq!(without.token.position(), None);
    Ok(())
}

async fn e3_a_read_that_shows_the_token_of_events_is_answered(log: Log) -> Verdict {
    let schema = declared(&log).await?;
    let ops = [
        put(&schema, "a", PutMode::Store),
        append("s", Expected::Any, ["x"]),
    ];
    let token = commit(&log.engine, ops).await?.token;
    let found = stored(&log, &schema, Some(token)).await?;
    assert_eq!(found, [Id::from("a")]);
    Ok(())
}
