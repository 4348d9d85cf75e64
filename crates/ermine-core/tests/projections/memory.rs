//! The events and the aggregate that the tests project.

use ermine_core::{
    Aggregate, Content, Envelope, Event, NewEvent, Position, Result, StoredEvent, StreamId,
    TenantId, Timestamp, VectorProjectionMap, by_stream,
};
use ermine_macros::Event;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Debug, Clone, Event, Serialize, Deserialize)]
#[event(crate = "ermine_core", prefix = "memory")]
pub(crate) enum MemoryEvent {
    Recorded {
        title: String,
        body: String,
        tags: Vec<String>,
    },
    /// `None` is unchanged.
    Revised {
        title: Option<String>,
        body: Option<String>,
        tags: Option<Vec<String>>,
    },
    /// The fold ends the aggregate.
    Ended,
    Forgotten,
}

/// Events that say all there is of a row.
#[derive(Debug, Clone, Event, Serialize, Deserialize)]
#[event(crate = "ermine_core", prefix = "note")]
pub(crate) enum NoteEvent {
    Written { id: Uuid, text: Option<String> },
    Renamed { from: Uuid, to: Uuid, text: String },
    Erased { id: Uuid },
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Memory {
    pub(crate) title: String,
    pub(crate) body: String,
    pub(crate) tags: Vec<String>,
}

impl Memory {
    pub(crate) fn text(&self) -> String {
        format!("{}\n{}\n{}", self.title, self.body, self.tags.join(" "))
    }
}

impl Aggregate for Memory {
    type Event = MemoryEvent;

    fn fold(state: Option<Self>, event: &Envelope<MemoryEvent>) -> Result<Option<Self>> {
        Ok(match (state, event.data.clone()) {
            (_, MemoryEvent::Recorded { title, body, tags }) => Some(Self { title, body, tags }),
            (Some(memory), MemoryEvent::Revised { title, body, tags }) => Some(Self {
                title: title.unwrap_or(memory.title),
                body: body.unwrap_or(memory.body),
                tags: tags.unwrap_or(memory.tags),
            }),
            (state, MemoryEvent::Forgotten) => state,
            (_, MemoryEvent::Ended) | (None, _) => None,
        })
    }
}

pub(crate) fn memories() -> VectorProjectionMap<Uuid> {
    VectorProjectionMap::new()
        .on(MemoryEvent::RECORDED, by_stream)
        .on(MemoryEvent::REVISED, by_stream)
        .on(MemoryEvent::ENDED, by_stream)
        .content(|memory: &Memory| Content::text(memory.text()))
        .delete(MemoryEvent::FORGOTTEN, by_stream)
}

pub(crate) fn notes() -> VectorProjectionMap<Uuid> {
    VectorProjectionMap::new()
        .map(
            NoteEvent::WRITTEN,
            |e| {
                let (_, text) = written(&e.data);
                Ok(text.map_or(Content::none(), Content::text))
            },
            |e| written(&e.data).0,
        )
        .delete(NoteEvent::RENAMED, |e| renamed(&e.data).0)
        .map(
            NoteEvent::RENAMED,
            |e| Content::text(renamed(&e.data).2),
            |e| Ok(renamed(&e.data).1),
        )
        .delete(NoteEvent::ERASED, |e| match e.data {
            NoteEvent::Erased { id } => id,
            _ => unreachable!(),
        })
}

fn written(event: &NoteEvent) -> (Uuid, Option<String>) {
    match event {
        NoteEvent::Written { id, text } => (*id, text.clone()),
        _ => unreachable!(),
    }
}

fn renamed(event: &NoteEvent) -> (Uuid, Uuid, String) {
    match event {
        NoteEvent::Renamed { from, to, text } => (*from, *to, text.clone()),
        _ => unreachable!(),
    }
}

pub(crate) fn recorded(title: &str, body: &str, tags: &[&str]) -> MemoryEvent {
    MemoryEvent::Recorded {
        title: title.into(),
        body: body.into(),
        tags: tags.iter().map(|&tag| tag.into()).collect(),
    }
}

pub(crate) fn revised(title: Option<&str>, body: Option<&str>) -> MemoryEvent {
    MemoryEvent::Revised {
        title: title.map(Into::into),
        body: body.map(Into::into),
        tags: None,
    }
}

pub(crate) fn wrote(id: u128, text: &str) -> NoteEvent {
    NoteEvent::Written {
        id: Uuid::from_u128(id),
        text: Some(text.into()),
    }
}

pub(crate) fn said_nothing(id: u128) -> NoteEvent {
    NoteEvent::Written {
        id: Uuid::from_u128(id),
        text: None,
    }
}

pub(crate) fn erased(id: u128) -> NoteEvent {
    NoteEvent::Erased {
        id: Uuid::from_u128(id),
    }
}

pub(crate) fn tenant(name: &str) -> Option<TenantId> {
    (!name.is_empty()).then(|| TenantId::new(name).unwrap())
}

/// All events, in order, of which tests take pages.
#[derive(Default)]
pub(crate) struct Log(pub(crate) Vec<StoredEvent>);

impl Log {
    /// Appends to the stream named by a number, of no tenant.
    pub(crate) fn push(&mut self, stream: u128, event: &impl Event) -> &mut Self {
        self.push_of("", stream, event)
    }

    pub(crate) fn push_of(&mut self, owner: &str, stream: u128, event: &impl Event) -> &mut Self {
        let tenant = tenant(owner);
        let stream = StreamId::from(Uuid::from_u128(stream));
        let stored = StoredEvent {
            version: self.stream(&tenant, &stream).len() as u64 + 1,
            // There are holes in the order.
            position: Position::at(self.0.len() as u64 * 2 + 1),
            tenant,
            stream,
            event: NewEvent {
                id: Uuid::from_u128(self.0.len() as u128),
                event_type: event.event_type().into(),
                at: Timestamp::from_unix_micros(0).unwrap(),
                correlation: None,
                causation: None,
                headers: Default::default(),
                data: event.to_data().unwrap(),
            },
        };
        self.0.push(stored);
        self
    }

    pub(crate) fn stream(&self, tenant: &Option<TenantId>, stream: &StreamId) -> Vec<StoredEvent> {
        let events = self.0.iter();
        events
            .filter(|event| event.tenant == *tenant && event.stream == *stream)
            .cloned()
            .collect()
    }
}
