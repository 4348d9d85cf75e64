//! An event with what is known about it.

use std::collections::BTreeMap;

use uuid::Uuid;

use crate::{Position, StreamId, TenantId, Timestamp};

/// An event to be appended. Its version and position are given at commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    /// The id: unique, a UUID version 7 by default.
    pub id: Uuid,
    /// The declared name of its type.
    pub event_type: String,
    /// When it happened, as its writer says.
    pub at: Timestamp,
    /// What it belongs to: the same for everything that one request caused.
    pub correlation: Option<String>,
    /// What caused it.
    pub causation: Option<String>,
    /// Whatever else its writer says about it.
    pub headers: BTreeMap<String, String>,
    /// The event as JSON text.
    pub data: String,
}

/// An event as it is stored (rule E2): what a store returns, its data not yet read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvent {
    /// Whose stream it is in; `None` for the streams of no tenant.
    pub tenant: Option<TenantId>,
    /// The stream.
    pub stream: StreamId,
    /// Its place in the stream, from 1.
    pub version: u64,
    /// Its place among all events.
    pub position: Position,
    /// What its writer gave.
    pub event: NewEvent,
}

/// An event with its data read: what selectors and folds are given.
///
/// ```
/// use ermine_core::{Content, Envelope};
///
/// // A selector: headers count towards the text as much as the event does.
/// fn text(e: &Envelope<String>) -> Content {
///     match e.headers.get("channel") {
///         Some(channel) => Content::text(format!("{channel}: {}", e.data)),
///         None => Content::text(&e.data),
///     }
/// }
/// # use ermine_core::{NewEvent, Position, StoredEvent, StreamId, Timestamp, new_id};
/// # let stored = StoredEvent {
/// #     tenant: None, stream: StreamId::text("chat")?, version: 1, position: Position::at(1),
/// #     event: NewEvent {
/// #         id: new_id(), event_type: "said".into(), at: Timestamp::now(), correlation: None, causation: None,
/// #         headers: [("channel".to_owned(), "support".to_owned())].into(), data: "\"hello\"".into(),
/// #     },
/// # };
/// # let envelope = stored.envelope("hello".to_owned());
/// assert_eq!(text(&envelope).as_text(), Some("support: hello"));
/// # Ok::<(), ermine_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Envelope<T> {
    /// The id.
    pub id: Uuid,
    /// The stream.
    pub stream: StreamId,
    /// Its place in the stream, from 1.
    pub version: u64,
    /// Its place among all events.
    pub position: Position,
    /// The declared name of its type, after upcasting.
    pub event_type: String,
    /// When it happened, as its writer says.
    pub at: Timestamp,
    /// Whose stream it is in; `None` for the streams of no tenant.
    pub tenant: Option<TenantId>,
    /// What it belongs to.
    pub correlation: Option<String>,
    /// What caused it.
    pub causation: Option<String>,
    /// Whatever else its writer says about it.
    pub headers: BTreeMap<String, String>,
    /// The event.
    pub data: T,
}

impl StoredEvent {
    /// The envelope around `data`, which was read from this event's.
    pub fn envelope<T>(&self, data: T) -> Envelope<T> {
        Envelope {
            id: self.event.id,
            stream: self.stream.clone(),
            version: self.version,
            position: self.position,
            event_type: self.event.event_type.clone(),
            at: self.event.at,
            tenant: self.tenant.clone(),
            correlation: self.event.correlation.clone(),
            causation: self.event.causation.clone(),
            headers: self.event.headers.clone(),
            data,
        }
    }
}
