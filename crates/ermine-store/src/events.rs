//! Events: their types, their streams, and what streams add up to.

mod aggregate;
mod event_builder;
mod feed;
mod fold;
mod for_writing;
mod projected;
mod snapshot;
mod stream;
mod stream_id;
mod types;

pub use aggregate::AggregateQuery;
pub use event_builder::{EventBuilder, ToEvent};
pub(crate) use event_builder::{Metadata, new_event};
pub use feed::EventsQuery;
pub(crate) use fold::fold_pages;
pub use for_writing::AggregateStream;
pub(crate) use projected::{Made, Part, Projected};
pub(crate) use snapshot::{Folding, Snapshot, SnapshotType};
pub(crate) use stream::{Head, PAGE, Pages, heads};
pub use stream::{StreamPages, StreamQuery};
pub use stream_id::ToStreamId;
pub(crate) use types::{DeclaredEvents, EventTypes, Upcast};

use std::sync::Arc;

use crate::projection::Projection;

/// The name of the event that says that earlier ones of its stream were masked:
/// what was made of the stream is to be made anew.
pub(crate) const MASKED: &str = "ermine.masked";

/// What a store knows about events.
#[derive(Default)]
pub(crate) struct Events {
    pub(crate) types: EventTypes,
    /// The types that are folded when their streams are appended to.
    pub(crate) snapshots: Vec<Snapshot>,
    /// What else is made of events, so that it can be taken away with them (rule P15).
    pub(crate) projections: Vec<Arc<dyn Projection>>,
}
