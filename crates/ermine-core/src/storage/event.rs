//! What a store does with events, beside documents.

mod append;
mod lease;
mod page;
mod parked;
mod shard;
mod shard_row;

use std::future::Future;
use std::time::Duration;

pub use append::{Append, Expected, Mask};
pub use lease::{LeaseOp, LeaseState};
pub use page::{EventFilter, EventPage, StreamRange, StreamState};
pub use parked::{Parked, ParkedKey};
pub use shard::{Advance, Epoch, ShardName, ShardState};
pub use shard_row::ShardRow;

use crate::{Position, Result, Storage};

/// A database that keeps events too.
///
/// Appending, progress and parked events are operations of a [`Unit`](crate::Unit), so
/// that they are written with documents, all or none (rules E3, P1); streams, progress
/// and parked events are read by [`Read`](crate::Read).
pub trait EventStorage: Storage {
    /// The events after `after` that pass the filter, in order, at most `limit` of
    /// them, and how far that looked (rule P2).
    fn events(
        &self,
        after: Position,
        filter: &EventFilter,
        limit: usize,
    ) -> impl Future<Output = Result<EventPage>> + Send;

    /// Takes, renews or gives up the right to run a shard, by the database's clock.
    fn lease(&self, op: &LeaseOp) -> impl Future<Output = Result<LeaseState>> + Send;

    /// Returns once there may be events after `after`, or after `at_most`. It is a
    /// hint: the events themselves are what counts.
    fn wait(&self, after: Position, at_most: Duration) -> impl Future<Output = Result<()>> + Send;
}
