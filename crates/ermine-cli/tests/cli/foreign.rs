//! Stores that an application made, with a model of its own and tenants.

use ermine::{DeterministicProvider, Sqlite, Store};
use ermine_core::{Deletion, DynamicRecord, Id, IdType, Metric, Schema, Tenancy};

use crate::stored::wait;
use crate::support::Place;

/// A store of memories of two tenants, one of them soft-deleted.
fn memories() -> Place {
    let place = Place::new();
    let schema = Schema::builder("memories", "id", IdType::U64)
        .tenancy(Tenancy::Conjoined)
        .deletion(Deletion::Soft)
        .text("text", 1.0)
        .vector_from("embedding", 32, Metric::Cosine, ["text"])
        .build()
        .unwrap();
    wait(async {
        let store = Store::builder(Sqlite::file(place.path("app.db")))
            .schema(schema)
            .embeddings(DeterministicProvider::new(32))
            .open()
            .await
            .unwrap();
        let memories = store.dynamic("memories").unwrap();
        for (tenant, id, text) in [
            ("acme", 1, "pool timeouts"),
            ("acme", 2, "pool sizes"),
            ("acme", 3, "pool lost"),
            ("other", 1, "their pool"),
        ] {
            let mut session = store.session(tenant);
            let memory = DynamicRecord::new(Id::U64(id)).with("text", text);
            session.store_in(&memories, &memory);
            session.commit().await.unwrap();
        }
        let mut session = store.session("acme");
        session.delete_in(&memories, 3_u64);
        session.commit().await.unwrap();
    });
    place
}

#[test]
fn its_words_can_be_searched_and_its_vectors_are_refused_with_a_remedy() {
    let place = memories();
    let search = |more: &[&str]| {
        let arguments = ["search", "pool", "--store", "app.db", "--format", "jsonl"];
        place.run(&[&arguments[..], more].concat())
    };
    let line = search(&["--mode", "text"]).refused();
    assert!(line.contains("name one with --tenant"), "{line}");
    let hits = search(&["--mode", "text", "--tenant", "acme"]).json_lines();
    assert_eq!(hits.len(), 2);
    assert!(
        hits.iter()
            .all(|hit| hit["tenant"] == "acme" && hit["id"].is_u64())
    );
    for mode in ["vector", "hybrid"] {
        let line = search(&["--mode", mode, "--tenant", "acme"]).refused();
        assert!(
            line.contains("deterministic/") && line.contains("--mode text"),
            "{line}"
        );
    }
}

#[test]
fn its_status_counts_every_tenants_documents() {
    let place = memories();
    let status = place
        .run(&["status", "--store", "app.db", "--format", "json"])
        .json();
    let memories = &status["collections"][0];
    assert_eq!(memories["documents"], 3);
    assert_eq!(memories["deleted"], 1);
    assert_eq!(memories["vectors"][0]["present"], 3);
    assert!(
        memories["vectors"][0]["model"]
            .as_str()
            .unwrap()
            .starts_with("deterministic/")
    );
}

#[test]
fn an_import_leaves_its_collection_alone() {
    let place = memories();
    place.write("a.md", "# A\n\nText.\n");
    let arguments = ["import", "a.md", "--store", "app.db"];
    let refused = place
        .run(&[&arguments[..], &["--collection", "memories"]].concat())
        .refused();
    assert!(
        refused.contains("was not made by importing files"),
        "{refused}"
    );
    place.run(&arguments).succeeded();
    let status = place.run(&["status", "--store", "app.db"]).succeeded();
    assert!(
        status.contains("memories\n  documents  3, and 1 deleted\n"),
        "{status}"
    );
}

#[test]
fn vectors_of_another_model_are_not_mixed_with_the_bundled_ones() {
    let place = Place::with_notes();
    // The same collection, as a program with another model would have made it.
    let schema = {
        let engine = wait(ermine_core::Backend::connect(Sqlite::file(
            place.path("ermine.db"),
        )))
        .unwrap();
        let declarations = wait(ermine_core::Storage::declarations(&engine)).unwrap();
        declarations[0].schema.as_ref().clone()
    };
    let other = Store::builder(Sqlite::file(place.path("other.db")))
        .schema(schema)
        .embeddings(DeterministicProvider::new(256));
    drop(wait(other.open()).unwrap());
    let line = place
        .run(&["import", "notes", "--store", "other.db"])
        .refused();
    assert!(
        line.contains("deterministic/") && line.contains("static/"),
        "{line}"
    );
}
