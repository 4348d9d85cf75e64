//! The README's listings, run on both stores by changing the one line.
//!
//! Each stands here once more, with `$backend` in its place, so that it can be compiled for
//! either; a test compares the copies with the README.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "this is a test")]
#![allow(
    unused_imports,
    reason = "the listings import the store that the other line is about"
)]

use std::sync::LazyLock;

use ermine::{Postgres, Sqlite, new_id};

/// Where each listing's file is, which the tests share.
static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());

fn file(name: &str) -> Sqlite {
    Sqlite::file(FOLDER.path().join(name))
}

/// Runs of the tests may share a database, and nothing here minds what was there before.
fn schema(name: &str) -> Postgres {
    let url = std::env::var("ERMINE_TEST_POSTGRES").expect(
        "ERMINE_TEST_POSTGRES names the PostgreSQL server for the tests; `cargo xtask postgres` starts one",
    );
    Postgres::url(url).schema(name)
}

fn block_on(test: impl Future<Output = ermine::Result<()>>) {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(test).unwrap();
}

// As it is formatted there.
#[rustfmt::skip]
macro_rules! events {
    ($backend:expr) => {
        // The first listing begins.
        use ermine::{
            Aggregate, Content, Document, Embedding, Envelope, Event, Sqlite, StaticModel, Store,
            VectorProjection, by_stream,
        };
        use serde::{Deserialize, Serialize};
        use uuid::Uuid;

        #[derive(Event, Serialize, Deserialize)]
        enum MemoryEvent {
            Recorded { title: String, body: String },
            Revised { body: String },
            Forgotten,
        }

        #[derive(Document, Serialize, Deserialize)]
        #[document(name = "memories", tenancy = "conjoined", language = "english")]
        struct Memory {
            #[document(id)]
            id: Uuid,
            #[document(text, weight = 3.0)]
            title: String,
            #[document(text)]
            body: String,
            #[document(vector(dimensions = 256, metric = "cosine"))]
            embedding: Embedding,
        }

        impl Aggregate for Memory {
            type Event = MemoryEvent;

            /// What the events of a stream add up to.
            fn fold(state: Option<Self>, event: &Envelope<MemoryEvent>) -> ermine::Result<Option<Self>> {
                Ok(match (state, &event.data) {
                    (_, MemoryEvent::Recorded { title, body }) => Some(Self {
                        id: event.stream.document_id()?,
                        title: title.clone(),
                        body: body.clone(),
                        embedding: Embedding::Absent,
                    }),
                    (Some(memory), MemoryEvent::Revised { body }) => Some(Self { body: body.clone(), ..memory }),
                    (_, MemoryEvent::Forgotten) | (None, _) => None,
                })
            }
        }

        async fn revise(pool: Uuid) -> ermine::Result<()> {
            let vectors = VectorProjection::<Memory>::from_aggregate::<Memory>("memory-vectors")
                .on(MemoryEvent::RECORDED, by_stream)
                .on(MemoryEvent::REVISED, by_stream)
                .content(|memory: &Memory| Content::text(format!("{}\n{}", memory.title, memory.body)))
                .delete_on(MemoryEvent::FORGOTTEN, by_stream);
            let store = Store::builder($backend)
                .snapshot::<Memory>() // written in the transaction of its events
                .projection(vectors) // follows them; text that stays costs no call
                .embeddings(StaticModel::bundled())
                .open()
                .await?;
            let _daemon = store.daemon().spawn()?; // of several processes one leads

            let mut session = store.session("acme"); // a unit of work, for one tenant
            let body = "Idle connections are closed.".to_owned();
            session.append(pool, [MemoryEvent::Revised { body }]);
            let token = session.commit().await?; // events, document and words: all or none

            let reader = store.reader("acme"); // cannot write: another type
            let hits = reader
                .search::<Memory>()
                .hybrid("where did the connection go") // or .matching("…"), .nearest_text("…")
                .at_least(token) // once the vector is there
                .limit(10)
                .await?;
            for hit in &hits {
                println!("{} scores {:.4}", hit.document.title, hit.score);
            }
            Ok(())
        }
        // The first listing ends.
    };
}

#[rustfmt::skip]
macro_rules! documents {
    ($backend:expr) => {
        // The second listing begins.
        use ermine::{Document, Embedding, Sqlite, StaticModel, Store};
        use serde::{Deserialize, Serialize};
        use uuid::Uuid;

        #[derive(Debug, Clone, Document, Serialize, Deserialize)]
        #[document(name = "memories", tenancy = "conjoined", soft_delete, language = "english")]
        struct Memory {
            #[document(id)]
            id: Uuid,
            #[document(index)]
            scope: String,
            #[document(text, weight = 3.0)]
            title: String,
            #[document(text)]
            body: String,
            #[document(index)]
            tags: Vec<String>,
            #[document(vector(dimensions = 256, metric = "cosine", from = "title, body"))]
            embedding: Embedding,
        }

        async fn remember(memory: Memory) -> ermine::Result<()> {
            let store = Store::builder($backend)
                .document::<Memory>()
                .embeddings(StaticModel::bundled())
                .open()
                .await?;

            let mut session = store.session("acme"); // a unit of work, for one tenant
            session.store(&memory);
            let token = session.commit().await?; // document, vector and text: all or none

            let reader = store.reader("acme"); // cannot write: another type
            let hits = reader
                .search::<Memory>()
                .hybrid("connection pool timeouts") // or .matching("…"), .nearest_text("…"), .nearest_to(&vector)
                .filter(Memory::SCOPE.eq("project-a") & Memory::TAGS.contains("db"))
                .at_least(token) // sees its own write
                .limit(10)
                .await?;
            for hit in &hits {
                println!("{} scores {:.4}", hit.document.title, hit.score);
            }
            Ok(())
        }
        // The second listing ends.
    };
}

macro_rules! tests_of_events {
    ($backend:expr) => {
        events!($backend);

        #[test]
        fn a_revision_is_found_by_its_words_and_by_its_meaning() {
            super::block_on(async {
                let pool = super::new_id();
                let store = Store::builder($backend)
                    .snapshot::<Memory>()
                    .embeddings(StaticModel::bundled())
                    .open()
                    .await?;
                let mut session = store.session("acme");
                let recorded = MemoryEvent::Recorded {
                    title: "Pool".to_owned(),
                    body: "Connections are opened early.".to_owned(),
                };
                session.start(pool, [recorded]);
                session.commit().await?;
                revise(pool).await?;
                let memory = store.reader("acme").load::<Memory>(pool).await?.unwrap();
                assert_eq!(memory.body, "Idle connections are closed.");
                assert!(matches!(memory.embedding, Embedding::Present(_)));
                Ok(())
            });
        }
    };
}

macro_rules! tests_of_documents {
    ($backend:expr) => {
        documents!($backend);

        #[test]
        fn a_document_is_stored_with_its_vector() {
            super::block_on(async {
                let id = super::new_id();
                remember(Memory {
                    id,
                    scope: "project-a".to_owned(),
                    title: "Pool".to_owned(),
                    body: "Connection timeouts.".to_owned(),
                    tags: vec!["db".to_owned()],
                    embedding: Embedding::NotLoaded,
                })
                .await?;
                let store = Store::builder($backend)
                    .document::<Memory>()
                    .embeddings(StaticModel::bundled())
                    .open()
                    .await?;
                let memory = store.reader("acme").load::<Memory>(id).await?.unwrap();
                assert_eq!(memory.title, "Pool");
                assert!(matches!(memory.embedding, Embedding::Present(_)));
                Ok(())
            });
        }
    };
}

mod events_on_sqlite {
    tests_of_events!(super::file("events.db"));
}

mod events_on_postgres {
    tests_of_events!(super::schema("ermine_readme_events"));
}

mod documents_on_sqlite {
    tests_of_documents!(super::file("documents.db"));
}

mod documents_on_postgres {
    tests_of_documents!(super::schema("ermine_readme_documents"));
}

#[test]
fn the_listings_are_those_of_the_readme() {
    let readme = include_str!("../../../README.md").replace("\r\n", "\n");
    let own = include_str!("readme.rs").replace("\r\n", "\n");
    let between = |text: &str, begin: &str, end: &str| -> String {
        let (_, rest) = text.split_once(begin).expect("it begins");
        rest.split_once(end).expect("it ends").0.to_owned()
    };
    let mut rest = readme.as_str();
    for name in ["first", "second"] {
        let listed = between(rest, "```rust\n", "```");
        let (_, after) = rest.split_once("```rust\n").expect("it was there");
        rest = after;
        let begin = format!("// The {name} listing begins.\n");
        let copied = between(
            &own,
            &begin,
            &format!("        // The {name} listing ends."),
        );
        let copied: String = copied
            .lines()
            .map(|line| format!("{}\n", line.strip_prefix("        ").unwrap_or(line)))
            .collect();
        let copied = copied.replace("$backend", r#"Sqlite::file("app.db")"#);
        assert_eq!(copied, listed, "the {name} listing");
    }
}
