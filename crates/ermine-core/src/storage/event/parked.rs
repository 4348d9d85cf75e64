//! Events that a shard could not apply, and went on without.

use super::ShardName;
use crate::{Position, TenantId, Timestamp};

/// What was set aside (rule P10): a dead letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parked {
    /// Which.
    pub key: ParkedKey,
    /// Whose stream the event is in; `None` for the streams of no tenant.
    pub tenant: Option<TenantId>,
    /// Why it could not be applied.
    pub reason: String,
    /// When it was set aside.
    pub at: Timestamp,
}

/// Which event was set aside, by which shard.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParkedKey {
    /// The shard.
    pub shard: ShardName,
    /// The event's position.
    pub position: Position,
}
