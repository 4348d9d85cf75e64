//! Memories that are told as events: a snapshot that is searched, and an embedding that
//! follows it through partial changes and costs nothing where the text stays.
//!
//! `cargo run --example memories` prints the answers, and fails where one is wrong.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a wrong answer ends the example"
)]

use ermine::{
    Aggregate, Backend, Content, DeterministicProvider, Document, Embedding, Engine, Envelope,
    Error, Event, Result, Sqlite, Store, VectorProjection, by_stream, new_id,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Debug, Clone, Event, Serialize, Deserialize)]
enum MemoryEvent {
    Recorded {
        title: String,
        body: String,
    },
    /// `None`: as it was.
    Revised {
        title: Option<String>,
        body: Option<String>,
    },
    Read,
    Forgotten,
}

#[derive(Debug, Clone, Document, Serialize, Deserialize)]
#[document(name = "memories", tenancy = "conjoined", language = "english")]
struct Memory {
    #[document(id)]
    id: Uuid,
    #[document(text, weight = 3.0)]
    title: String,
    #[document(text)]
    body: String,
    reads: u64,
    #[document(vector(dimensions = 64))]
    embedding: Embedding,
}

impl Aggregate for Memory {
    type Event = MemoryEvent;

    fn fold(state: Option<Self>, event: &Envelope<MemoryEvent>) -> Result<Option<Self>> {
        Ok(match (state, &event.data) {
            (_, MemoryEvent::Recorded { title, body }) => Some(Self {
                id: event.stream.document_id()?,
                title: title.clone(),
                body: body.clone(),
                reads: 0,
                embedding: Embedding::Absent,
            }),
            (Some(memory), MemoryEvent::Revised { title, body }) => Some(Self {
                title: title.clone().unwrap_or(memory.title),
                body: body.clone().unwrap_or(memory.body),
                ..memory
            }),
            (Some(memory), MemoryEvent::Read) => Some(Self {
                reads: memory.reads + 1,
                ..memory
            }),
            (_, MemoryEvent::Forgotten) | (None, _) => None,
        })
    }
}

/// The one line that chooses the store: `Sqlite::temporary()`, or, with the feature
/// `postgres`, the database whose URL is in `ERMINE_EXAMPLE_STORE`.
async fn database() -> Result<Engine> {
    #[cfg(feature = "postgres")]
    if let Ok(url) = std::env::var("ERMINE_EXAMPLE_STORE") {
        let database = ermine::Postgres::url(url).schema("ermine_example_memories");
        return database.connect().await;
    }
    Sqlite::temporary().connect().await
}

fn main() -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.expect("a runtime of one thread").block_on(run())
}

async fn run() -> Result<(), Error> {
    let model = DeterministicProvider::new(64);
    let vectors = VectorProjection::<Memory>::from_aggregate::<Memory>("memory-vectors")
        .on(MemoryEvent::RECORDED, by_stream)
        .on(MemoryEvent::REVISED, by_stream)
        .on(MemoryEvent::READ, by_stream)
        .content(|memory: &Memory| Content::text(format!("{}\n{}", memory.title, memory.body)))
        .delete_on(MemoryEvent::FORGOTTEN, by_stream);
    let store = Store::builder(database().await?)
        .snapshot::<Memory>()
        .projection(vectors)
        .embeddings(model.clone())
        .open()
        .await?;

    // The events and the snapshot are one transaction; the vector follows.
    // A tenant of its own, since a database may keep those of earlier runs.
    let tenant = new_id().to_string();
    let (pool, diet) = (new_id(), new_id());
    let recorded = |title: &str, body: &str| MemoryEvent::Recorded {
        title: title.to_owned(),
        body: body.to_owned(),
    };
    let mut session = store.session(&*tenant);
    session.start(pool, [recorded("Pool", "timeouts of connections")]);
    session.start(diet, [recorded("Diet", "no sugar before noon")]);
    session.commit().await?;
    store.daemon().run_until_caught_up().await?;
    assert_eq!(model.texts(), 2);

    // A part changes, and the text that is embedded is the whole of it.
    session.append(
        pool,
        [MemoryEvent::Revised {
            title: None,
            body: Some("idle connections are closed".to_owned()),
        }],
    );
    let token = session.commit().await?;
    store.daemon().run_until_caught_up().await?;
    assert_eq!(model.texts(), 3);

    let reader = store.reader(&*tenant);
    let hits = reader
        .search::<Memory>()
        .nearest_text("Pool\nidle connections are closed")
        .at_least(token)
        .await?;
    println!("{} at {}", hits[0].document.title, hits[0].distance);
    assert_eq!(hits[0].document.id, pool);
    let stale = reader.search::<Memory>().matching("timeouts").await?;
    assert!(stale.is_empty(), "superseded text finds nothing");

    // What changes nothing of the text costs no call.
    session.append(pool, [MemoryEvent::Read]);
    session.append(diet, [MemoryEvent::Forgotten]);
    session.commit().await?;
    store.daemon().run_until_caught_up().await?;
    assert_eq!(model.texts(), 4, "the query above was one");
    let left = reader.search::<Memory>().nearest_text("anything").await?;
    assert_eq!(left.len(), 1, "a forgotten memory has no vector");

    // The stream still tells what was.
    let first = reader.aggregate::<Memory>(pool).at_version(1).await?;
    let first = first.expect("the stream was recorded");
    println!("{} was once about {}", first.title, first.body);
    assert_eq!(first.body, "timeouts of connections");

    // A rebuild finds every text unchanged.
    let before = model.texts();
    store.daemon().rebuild("memory-vectors").await?;
    assert_eq!(model.texts(), before);
    Ok(())
}
