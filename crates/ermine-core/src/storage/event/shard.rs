//! How far a projection has come.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Position;

/// The name of what follows the events: a projection or subscription, and its version.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ShardName(String);

impl ShardName {
    /// A shard's name.
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ShardName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Which holder of a shard's lease this is: each new one has a larger number, and
/// what an earlier one still writes is refused.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Epoch(u64);

impl Epoch {
    /// The epoch a store gave. For stores.
    pub fn at(epoch: u64) -> Self {
        Self(epoch)
    }

    /// As a number.
    pub fn get(self) -> u64 {
        self.0
    }
}

/// Moves a shard's progress, or holds it where it is: the guard of a batch (rule P1).
///
/// Where the shard is not at `from`, or its lease's epoch is not `epoch`, the unit
/// fails with `Superseded`: another runner has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advance {
    /// The shard.
    pub shard: ShardName,
    /// The epoch of the runner's lease.
    pub epoch: Epoch,
    /// Where it must be.
    pub from: Position,
    /// Where it will be.
    pub to: Position,
}

/// What is stored about a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShardState {
    /// The shard.
    pub shard: ShardName,
    /// Every event it follows up to here is applied.
    pub position: Position,
    /// The epoch of its last lease.
    pub epoch: Epoch,
    /// Who holds the lease, if it has not run out.
    pub holder: Option<String>,
    /// Why it is paused, if it is.
    pub paused: Option<String>,
    /// The mark up to which it is being rebuilt, if it is.
    pub rebuilding: Option<Position>,
}
