//! Reading events.

use crate::{Position, StoredEvent, StreamId, TenantId, Timestamp};

/// Which events a reader follows. Those of archived streams are never among them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EventFilter {
    /// The names of their types, in the query itself; `None` for all.
    pub types: Option<Vec<String>>,
    /// The last position looked at; `None` for as far as there are events.
    pub up_to: Option<Position>,
}

/// A page of events.
#[derive(Debug, Clone, PartialEq)]
pub struct EventPage {
    /// The events, by position.
    pub events: Vec<StoredEvent>,
    /// How far the page looked: the last event's position where it is full,
    /// otherwise the high-water mark, or the filter's `up_to` if that is less; never
    /// before the position that was asked after. A reader goes on from here.
    pub ceiling: Position,
    /// The high-water mark: no event at or before it will ever appear (rule E5).
    pub mark: Position,
    /// The last position given out: whoever waits for what is committed by now waits for
    /// the mark to come here. Where writers take turns it is the mark; elsewhere what lies
    /// between may be committed already, and is held back by somebody who is not.
    pub given: Position,
}

/// Which part of a stream is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamRange {
    /// Whose stream; `None` for the streams of no tenant.
    pub tenant: Option<TenantId>,
    /// The stream.
    pub stream: StreamId,
    /// The first version, from 1.
    pub from: u64,
    /// The last version; `None` for all there are.
    pub to: Option<u64>,
    /// Only the longest prefix of the stream whose events all happened at or before
    /// this time (rule E4).
    pub until: Option<Timestamp>,
}

impl StreamRange {
    /// The whole of a stream.
    pub fn whole(tenant: Option<TenantId>, stream: StreamId) -> Self {
        Self {
            tenant,
            stream,
            from: 1,
            to: None,
            until: None,
        }
    }
}

/// What is known about a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamState {
    /// The version of its last event.
    pub version: u64,
    /// Whether it was archived: readers of all events pass it by, and nothing is
    /// appended to it.
    pub archived: bool,
    /// When it was opened.
    pub created: Timestamp,
    /// When it was last appended to.
    pub updated: Timestamp,
}
