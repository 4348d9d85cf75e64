//! Events with what their writer says about them.

use std::collections::BTreeMap;

use ermine_core::{Event, NewEvent, Result, Timestamp, new_id};
use uuid::Uuid;

/// An event and what is said about it: for the one that needs more than its
/// session says about all.
///
/// ```
/// # use ermine_compliance::Reference;
/// # use ermine_macros::Event;
/// # use serde::{Deserialize, Serialize};
/// use ermine_store::{EventBuilder, Store};
///
/// #[derive(Event, Serialize, Deserialize)]
/// # #[event(crate = "ermine_core")]
/// struct Deposited { amount: i64 }
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
///
/// let store = Store::builder(Reference::new()).events::<Deposited>().open().await?;
/// let mut session = store.session_without_tenant();
/// session.header("source", "a form");
/// let imported = EventBuilder::of(Deposited { amount: 5 })
///     .at("2019-06-01T08:00:00Z".parse()?)
///     .header("source", "ledger-2019.csv");
/// session.append("account-1", [imported, EventBuilder::of(Deposited { amount: 7 })]);
/// session.commit().await?;
///
/// let events = session.stream("account-1").of::<Deposited>().await?;
/// assert_eq!(events[0].at, "2019-06-01T08:00:00Z".parse()?);
/// assert_eq!(events[0].headers["source"], "ledger-2019.csv");
/// assert_eq!((events[1].data.amount, &*events[1].headers["source"]), (7, "a form"));
/// # Ok::<(), ermine_core::Error>(()) }).unwrap();
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct EventBuilder<E> {
    event: E,
    id: Option<Uuid>,
    at: Option<Timestamp>,
    metadata: Metadata,
}

/// What a session says about all of its events, or a builder about one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Metadata {
    pub(crate) correlation: Option<String>,
    pub(crate) causation: Option<String>,
    pub(crate) headers: BTreeMap<String, String>,
}

impl<E: Event> EventBuilder<E> {
    /// An event of which nothing is said yet.
    pub fn of(event: E) -> Self {
        Self {
            event,
            id: None,
            at: None,
            metadata: Metadata::default(),
        }
    }

    /// The event's id. Without it, a new UUID version 7.
    pub fn id(mut self, id: Uuid) -> Self {
        self.id = Some(id);
        self
    }

    /// When it happened, for history that is imported. Without it, when it was recorded.
    pub fn at(mut self, at: Timestamp) -> Self {
        self.at = Some(at);
        self
    }

    /// What it belongs to, in place of the session's.
    pub fn correlation(mut self, correlation: impl Into<String>) -> Self {
        self.metadata.correlation = Some(correlation.into());
        self
    }

    /// What caused it, in place of the session's.
    pub fn causation(mut self, causation: impl Into<String>) -> Self {
        self.metadata.causation = Some(causation.into());
        self
    }

    /// Says something else about it; in place of the session's header of that name.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.metadata.headers.insert(name.into(), value.into());
        self
    }
}

/// What can be appended: an [`Event`] as it is, or in an [`EventBuilder`].
pub trait ToEvent {
    /// The type of the event.
    type Event: Event;

    /// The event and what is said about it.
    fn to_event(self) -> EventBuilder<Self::Event>;
}

impl<E: Event> ToEvent for E {
    type Event = E;
    fn to_event(self) -> EventBuilder<E> {
        EventBuilder::of(self)
    }
}

impl<E: Event> ToEvent for EventBuilder<E> {
    type Event = E;
    fn to_event(self) -> Self {
        self
    }
}

/// The event to be appended: what its builder says of it, then what its session says.
pub(crate) fn new_event<E: Event>(
    builder: EventBuilder<E>,
    session: &Metadata,
) -> Result<NewEvent> {
    let EventBuilder {
        event,
        id,
        at,
        metadata,
    } = builder;
    let event_type = event.event_type();
    let data = event
        .to_data()
        .map_err(|e| e.in_context(format_args!("an event {event_type:?}")))?;
    let mut headers = session.headers.clone();
    headers.extend(metadata.headers);
    Ok(NewEvent {
        id: id.unwrap_or_else(new_id),
        event_type: event_type.to_owned(),
        at: at.unwrap_or_else(Timestamp::now),
        correlation: metadata.correlation.or_else(|| session.correlation.clone()),
        causation: metadata.causation.or_else(|| session.causation.clone()),
        headers,
        data,
    })
}
