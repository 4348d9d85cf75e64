//! Opening a database: at once with others, again, with what it lacks, and where it cannot be.

use std::sync::Arc;

use ermine_core::{
    Backend, Declaration, Embedding, ErrorKind, IdType, Metric, Schema, SchemaMode, Storage, Unit,
};
use ermine_postgres::Postgres;

use crate::support::{Notes, Place, Plain, block_on, declaration, note, notes, url, with_vectors};

#[test]
fn many_open_an_empty_database_at_once() {
    let place = Place::new();
    let opened: Vec<Notes> = std::thread::scope(|scope| {
        let open = || scope.spawn(|| Notes::open(place.postgres()));
        let threads: Vec<_> = (0..8).map(|_| open()).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    for (at, notes) in opened.iter().enumerate() {
        notes.store([note(&at.to_string(), "pool")]);
    }
    // Each sees what all have written.
    for notes in &opened {
        assert_eq!(notes.count(notes.target()), 8);
    }
}

#[test]
fn a_declaration_that_differs_is_refused_naming_both() {
    let place = Place::new();
    let stored = Notes::open(place.postgres());
    let schema = Schema::builder("notes", "id", IdType::Text)
        .vector("embedding", 3, Metric::Cosine)
        .build()
        .unwrap();
    let other = declaration(schema);
    let refused = block_on(stored.engine.ensure(&other, SchemaMode::CreateOrUpdate)).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::SchemaMismatch);
    let again = block_on(place.postgres().connect()).unwrap();
    let report = block_on(again.ensure(&declaration(notes()), SchemaMode::Assert)).unwrap();
    assert!(report.changes.is_empty() && report.warnings.is_empty());
    let stored = block_on(again.declarations()).unwrap();
    assert_eq!(stored.len(), 1);
}

#[test]
fn names_of_any_length_and_many_dimensions_are_kept() {
    let place = Place::new();
    let engine = block_on(place.postgres().connect()).unwrap();
    let long = |last: char| "é".repeat(23) + &last.to_string();
    let schema = Schema::builder("n".repeat(48), "id", IdType::Uuid)
        .vector(long('1'), 16_000, Metric::L1)
        .vector(long('2'), 2, Metric::L1)
        .build()
        .unwrap();
    let declared: Declaration = declaration(schema);
    block_on(engine.ensure(&declared, SchemaMode::CreateOrUpdate)).unwrap();
    let elements: Vec<f32> = (0..16_000u16).map(f32::from).collect();
    let id = ermine_core::new_id();
    let set = |vector: Vec<f32>| ermine_core::VectorWrite::Set {
        vector: vector.into(),
        hash: None,
    };
    let put = ermine_core::Put {
        schema: Arc::clone(&declared.schema),
        tenant: None,
        id: id.into(),
        mode: ermine_core::PutMode::Store,
        body: "{}".into(),
        columns: vec![],
        vectors: vec![set(elements.clone()), set(vec![1.0, 2.0])],
        text: None,
    };
    let unit = Unit {
        ops: vec![ermine_core::Op::Put(Box::new(put))],
    };
    block_on(engine.commit(&unit)).unwrap();
    let read = ermine_core::Read::Get {
        target: ermine_core::Target {
            schema: declared.schema,
            scope: ermine_core::Scope::live(ermine_core::TenantScope::Untenanted),
            filter: None,
        },
        ids: vec![id.into()],
        include: with_vectors(),
    };
    let answers = block_on(engine.read(&[read])).unwrap();
    let ermine_core::Answer::Records(records) = &answers[0] else {
        panic!("{answers:?}")
    };
    assert_eq!(records[0].embeddings[0], Embedding::from(elements));
}

#[test]
fn a_database_without_the_extension_is_refused_in_plain_words() {
    let admin = Plain::connect(&url());
    let name = format!("ermine_bare_{}", ermine_core::new_id().simple());
    admin.run(&format!("CREATE DATABASE {name} TEMPLATE template0"));
    let mut parts: Vec<String> = url().split('/').map(str::to_owned).collect();
    *parts.last_mut().unwrap() = name.clone();
    let refused = block_on(Postgres::url(parts.join("/")).connect()).unwrap_err();
    admin.run(&format!("DROP DATABASE {name} WITH (FORCE)"));
    assert_eq!(refused.kind(), ErrorKind::Unsupported);
    assert!(
        refused.to_string().contains("CREATE EXTENSION vector"),
        "{refused}"
    );
}

#[test]
fn a_server_that_is_not_there_is_said_to_be() {
    let refused = block_on(Postgres::url("postgres://nobody@127.0.0.1:1/db").connect());
    let refused = refused.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Storage);
    assert!(refused.to_string().contains("can be reached"), "{refused}");
}
