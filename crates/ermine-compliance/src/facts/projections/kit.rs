//! What facts about projections are written with.

use std::time::Duration;

use ermine_core::{
    Aggregate, BoxFuture, Content, Embedding, Engine, Envelope, ErrorKind, Feature, Result,
    Storage, Timestamp, by_stream,
};
use ermine_macros::{Document, Event};
use ermine_store::{
    AggregateProjection, Clock, Daemon, MapProjection, Store, StoreBuilder, SystemClock,
    VectorProjection,
};
use serde::{Deserialize, Serialize};

use super::model::Model;
use crate::facts::World;
use crate::facts::kit::refused;

/// A clock on which a second lasts a hundredth of one.
#[derive(Debug, Clone, Copy)]
pub(in crate::facts) struct Fast;

const FASTER: u32 = 100;

impl Clock for Fast {
    fn now(&self) -> Timestamp {
        let micros = Timestamp::now().unix_micros() - 1_700_000_000_000_000;
        Timestamp::from_unix_micros(micros * i64::from(FASTER))
            .expect("a time of this century or a later one")
    }

    fn sleep(&self, time: Duration) -> BoxFuture<'static, ()> {
        SystemClock.sleep(time / FASTER + Duration::from_micros(1))
    }
}

/// What happens to a memory; `None` leaves a part as it is.
#[derive(Debug, Clone, PartialEq, Event, Serialize, Deserialize)]
#[event(crate = "ermine_core", prefix = "memory")]
pub(in crate::facts) enum MemoryEvent {
    Recorded {
        title: String,
        body: String,
        tags: Vec<String>,
    },
    Revised {
        title: Option<String>,
        body: Option<String>,
        tags: Option<Vec<String>>,
    },
    Read,
    Forgotten,
}

/// What a memory's stream adds up to.
#[derive(Debug, Clone, PartialEq, Document, Serialize, Deserialize)]
#[document(
    crate = "ermine_core",
    name = "memories",
    tenancy = "conjoined",
    soft_delete
)]
pub(in crate::facts) struct Memory {
    #[document(id)]
    pub(in crate::facts) id: String,
    #[document(text)]
    pub(in crate::facts) title: String,
    #[document(text)]
    pub(in crate::facts) body: String,
    pub(in crate::facts) tags: Vec<String>,
    pub(in crate::facts) reads: u64,
    #[document(vector(dimensions = 2, metric = "l2"))]
    pub(in crate::facts) embedding: Embedding,
}

impl Aggregate for Memory {
    type Event = MemoryEvent;

    fn fold(state: Option<Self>, event: &Envelope<MemoryEvent>) -> Result<Option<Self>> {
        Ok(match (state, &event.data) {
            (_, MemoryEvent::Recorded { title, body, tags }) => Some(Self {
                id: event.stream.document_id()?,
                title: title.clone(),
                body: body.clone(),
                tags: tags.clone(),
                reads: 0,
                embedding: Embedding::Absent,
            }),
            (Some(memory), MemoryEvent::Revised { title, body, tags }) => Some(Self {
                title: title.clone().unwrap_or(memory.title),
                body: body.clone().unwrap_or(memory.body),
                tags: tags.clone().unwrap_or(memory.tags),
                ..memory
            }),
            (Some(memory), MemoryEvent::Read) => Some(Self {
                reads: memory.reads + 1,
                ..memory
            }),
            (_, MemoryEvent::Forgotten) => None,
            (None, _) => None,
        })
    }
}

impl Memory {
    /// The text that is embedded.
    pub(in crate::facts) fn text(&self) -> String {
        format!("{}\n{}\n{}", self.title, self.body, self.tags.join(" "))
    }
}

pub(in crate::facts) fn recorded(title: &str, body: &str, tag: &str) -> MemoryEvent {
    MemoryEvent::Recorded {
        title: title.to_owned(),
        body: body.to_owned(),
        tags: vec![tag.to_owned()],
    }
}

pub(in crate::facts) fn new_body(body: &str) -> MemoryEvent {
    MemoryEvent::Revised {
        title: None,
        body: Some(body.to_owned()),
        tags: None,
    }
}

/// The vectors of memories, of what they are after each change.
pub(in crate::facts) fn memory_vectors() -> AggregateProjection<Memory, Memory> {
    VectorProjection::<Memory>::from_aggregate::<Memory>("memory-vectors")
        .on(MemoryEvent::RECORDED, by_stream)
        .on(MemoryEvent::REVISED, by_stream)
        .on(MemoryEvent::READ, by_stream)
        .content(|memory: &Memory| Content::text(memory.text()))
        .delete_on(MemoryEvent::FORGOTTEN, by_stream)
}

/// Memories that are folded as they are written, and their vectors.
pub(in crate::facts) async fn memory_store(
    world: &World,
    model: &Model,
) -> Result<Option<Store<Engine>>> {
    open(world, |builder| {
        builder
            .snapshot::<Memory>()
            .projection(memory_vectors())
            .embeddings(model.clone())
    })
    .await
}

/// What happens to notes, several in one stream.
#[derive(Debug, Clone, PartialEq, Event, Serialize, Deserialize)]
#[event(crate = "ermine_core", prefix = "note")]
pub(in crate::facts) enum NoteEvent {
    Written { id: String, text: String },
    Touched { id: String },
    Erased { id: String },
}

impl NoteEvent {
    pub(in crate::facts) fn id(&self) -> String {
        match self {
            Self::Written { id, .. } | Self::Touched { id } | Self::Erased { id } => id.clone(),
        }
    }

    pub(in crate::facts) fn text(&self) -> &str {
        match self {
            Self::Written { text, .. } => text,
            _ => "",
        }
    }
}

pub(in crate::facts) fn written(id: &str, text: &str) -> NoteEvent {
    NoteEvent::Written {
        id: id.to_owned(),
        text: text.to_owned(),
    }
}

pub(in crate::facts) fn erased(id: &str) -> NoteEvent {
    NoteEvent::Erased { id: id.to_owned() }
}

/// A note, made by a projection of its events.
#[derive(Debug, Clone, PartialEq, Document, Serialize, Deserialize)]
#[document(crate = "ermine_core", name = "notes", tenancy = "conjoined")]
pub(in crate::facts) struct Note {
    #[document(id)]
    pub(in crate::facts) id: String,
    #[document(text)]
    pub(in crate::facts) text: String,
    /// How many notes its stream said something of before and with it.
    pub(in crate::facts) version: u64,
    #[document(vector(dimensions = 2, metric = "l2"))]
    pub(in crate::facts) embedding: Embedding,
}

pub(in crate::facts) fn note_vectors() -> MapProjection<Note> {
    VectorProjection::<Note>::map("note-vectors")
        .map(
            NoteEvent::WRITTEN,
            |e| match e.data.text() {
                "nothing to say" => Content::none(),
                "bad" => panic!("a bad note"),
                text => Content::text(text),
            },
            |e| e.data.id(),
        )
        .delete(NoteEvent::ERASED, |e| e.data.id())
        .document(|row| Note {
            id: row.id.clone(),
            text: row.text.to_owned(),
            version: row.event.version,
            embedding: Embedding::NotLoaded,
        })
}

/// Notes, in documents of the projection's own type.
pub(in crate::facts) async fn note_store(
    world: &World,
    model: &Model,
) -> Result<Option<Store<Engine>>> {
    open(world, |builder| {
        builder
            .events::<NoteEvent>()
            .projection(note_vectors())
            .embeddings(model.clone())
    })
    .await
}

/// Opens the database with events; `None` where the store keeps none, which it
/// must say by name when they are declared.
pub(in crate::facts) async fn open(
    world: &World,
    declare: impl FnOnce(StoreBuilder<Engine>) -> StoreBuilder<Engine>,
) -> Result<Option<Store<Engine>>> {
    let engine = world.engine().await?;
    if engine.capabilities().features.contains(&Feature::Events) {
        return world.store(declare).await.map(Some);
    }
    let store = engine.capabilities().store;
    let declared = declare(Store::builder(engine)).open().await;
    refused(declared, ErrorKind::Unsupported, &[store, "events"]);
    Ok(None)
}

/// A daemon in a hurry.
pub(in crate::facts) fn daemon(store: &Store<Engine>) -> Daemon {
    store.daemon().clock(Fast)
}

/// Applies all there is.
pub(in crate::facts) async fn catch_up(store: &Store<Engine>) -> Result<()> {
    daemon(store).run_until_caught_up().await
}

/// Appends note events to a stream of tenant `a`, in one commit.
pub(in crate::facts) async fn append(
    store: &Store<Engine>,
    stream: &str,
    events: impl IntoIterator<Item = NoteEvent>,
) -> Result<ermine_core::Token> {
    let mut session = store.session("a");
    session.append(stream, events);
    session.commit().await
}

/// Every note with its tenant and vector, soft-deleted ones included.
pub(in crate::facts) async fn notes(store: &Store<Engine>) -> Result<Vec<(Option<String>, Note)>> {
    let found = store.across_tenants().query::<Note>();
    let found = found.including_deleted().with_vectors().await?;
    let row = |owned: ermine_store::Owned<Note>| {
        let tenant = owned.tenant.map(|tenant| tenant.as_str().to_owned());
        (tenant, owned.document)
    };
    Ok(found.into_iter().map(row).collect())
}

/// Asserts that the notes of tenant `a` are these, by id, with the vectors of their texts.
#[track_caller]
pub(in crate::facts) fn assert_notes<'a>(
    store: &'a Store<Engine>,
    expected: &'a [(&'a str, &'a str)],
) -> impl Future<Output = Result<()>> + use<'a> {
    let place = std::panic::Location::caller();
    async move {
        let found = notes(store).await?;
        let texts: Vec<_> = found
            .iter()
            .map(|(_, note)| (note.id.as_str(), note.text.as_str()))
            .collect();
        assert_eq!(texts, expected, "asked at {place}");
        for (tenant, note) in &found {
            assert_eq!(tenant.as_deref(), Some("a"));
            let vector = Model::vector(&note.text);
            assert_eq!(
                note.embedding.vector(),
                Some(&vector),
                "{note:?}, asked at {place}"
            );
        }
        Ok(())
    }
}
