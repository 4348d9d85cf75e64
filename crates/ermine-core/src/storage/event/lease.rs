//! The right to run a shard.

use std::time::Duration;

use super::{Epoch, ShardName};
use crate::Position;

/// What is done with a shard's lease.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LeaseOp {
    /// Takes the lease where nobody has it, or it has run out; renews it where `holder`
    /// has it. Makes the shard, at the start of all events, where it is new.
    Take {
        /// The shard.
        shard: ShardName,
        /// Who asks: unique for each runner.
        holder: String,
        /// How long it lasts unless it is renewed.
        lasts: Duration,
    },
    /// Gives it up, where `holder` has it.
    GiveUp {
        /// The shard.
        shard: ShardName,
        /// Who has it.
        holder: String,
    },
    /// Says why the shard is to stand still, for every process; `None` lets it go on.
    Pause {
        /// The shard.
        shard: ShardName,
        /// Why.
        reason: Option<String>,
    },
    /// Notes that the shard is being rebuilt up to a mark, or no longer is. Fails with
    /// `Superseded` where the epoch is not the lease's.
    Rebuild {
        /// The shard.
        shard: ShardName,
        /// The epoch of the runner's lease.
        epoch: Epoch,
        /// The mark, frozen when the rebuild began; `None` when it is over.
        up_to: Option<Position>,
    },
}

impl LeaseOp {
    /// The shard whose lease it is.
    pub fn shard(&self) -> &ShardName {
        match self {
            Self::Take { shard, .. }
            | Self::GiveUp { shard, .. }
            | Self::Pause { shard, .. }
            | Self::Rebuild { shard, .. } => shard,
        }
    }
}

/// What a lease is like after an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseState {
    /// Who has it; `None` where nobody has.
    pub holder: Option<String>,
    /// Its epoch, larger for each holder than for the one before.
    pub epoch: Epoch,
    /// How long it still lasts, by the database's clock.
    pub remaining: Duration,
    /// How far the shard has come.
    pub position: Position,
    /// Why the shard is to stand still, if it is.
    pub paused: Option<String>,
    /// The mark up to which it is being rebuilt, if it is.
    pub rebuilding: Option<Position>,
}
