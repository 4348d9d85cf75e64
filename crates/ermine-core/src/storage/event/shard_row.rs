//! What a store keeps of a shard, and what becomes of it: one meaning for all stores.

use std::time::Duration;

use super::{Advance, Epoch, LeaseOp, LeaseState, ShardName, ShardState};
use crate::{Error, ErrorKind, Position, Result, Timestamp};

/// A shard as a store keeps it. For stores: a missing one is the default, at the start
/// of all events and never leased.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ShardRow {
    /// Every event it follows up to here is applied.
    pub position: Position,
    /// The epoch of its last lease; 0 where it had none.
    pub epoch: Epoch,
    /// Who took the lease last and did not give it up, and when it runs out.
    pub lease: Option<(String, Timestamp)>,
    /// Why it is paused, if it is.
    pub paused: Option<String>,
    /// The mark up to which it is being rebuilt, if it is.
    pub rebuilding: Option<Position>,
}

impl ShardRow {
    /// Does what is to be done with the lease. `now` is the database's clock, inside
    /// the transaction that holds the row.
    ///
    /// A holder whose lease ran out, and was taken by nobody since, goes on with its
    /// epoch.
    ///
    /// # Errors
    ///
    /// `Superseded` for a rebuild by an epoch that is not the lease's.
    pub fn apply(&mut self, op: &LeaseOp, now: Timestamp) -> Result<()> {
        match op {
            LeaseOp::Take { holder, lasts, .. } => {
                let others = self.holder(now).is_some_and(|other| other != holder);
                if others {
                    return Ok(());
                }
                if self.lease.as_ref().is_none_or(|(last, _)| last != holder) {
                    self.epoch = Epoch::at(self.epoch.get() + 1);
                }
                self.lease = Some((holder.clone(), now.saturating_add(*lasts)));
            }
            LeaseOp::GiveUp { holder, .. } => {
                self.lease.take_if(|(has, _)| has == holder);
            }
            LeaseOp::Pause { reason, .. } => self.paused.clone_from(reason),
            LeaseOp::Rebuild {
                shard,
                epoch,
                up_to,
            } => {
                if !self.is_leased_as(*epoch) {
                    return Err(self.superseded(shard, *epoch, None));
                }
                self.rebuilding = *up_to;
            }
        }
        Ok(())
    }

    /// Moves it, where it is what the guard says (rule P1).
    ///
    /// # Errors
    ///
    /// `Superseded` where it is not.
    pub fn advance(&mut self, advance: &Advance) -> Result<()> {
        let Advance {
            shard,
            epoch,
            from,
            to,
        } = advance;
        if !self.is_leased_as(*epoch) || self.position != *from {
            return Err(self.superseded(shard, *epoch, Some(*from)));
        }
        self.position = *to;
        Ok(())
    }

    /// The answer to an operation.
    pub fn lease_state(&self, now: Timestamp) -> LeaseState {
        let current = self.lease.as_ref().filter(|(_, until)| *until > now);
        LeaseState {
            holder: current.map(|(holder, _)| holder.clone()),
            epoch: self.epoch,
            remaining: current.map_or(Duration::ZERO, |(_, until)| until.saturating_since(now)),
            position: self.position,
            paused: self.paused.clone(),
            rebuilding: self.rebuilding,
        }
    }

    /// What is told of it.
    pub fn state(&self, shard: ShardName, now: Timestamp) -> ShardState {
        ShardState {
            shard,
            position: self.position,
            epoch: self.epoch,
            holder: self.holder(now).map(str::to_owned),
            paused: self.paused.clone(),
            rebuilding: self.rebuilding,
        }
    }

    fn holder(&self, now: Timestamp) -> Option<&str> {
        let (holder, until) = self.lease.as_ref()?;
        (*until > now).then_some(holder)
    }

    /// Epoch 0 is that of nobody's lease.
    fn is_leased_as(&self, epoch: Epoch) -> bool {
        epoch != Epoch::default() && epoch == self.epoch
    }

    fn superseded(&self, shard: &ShardName, epoch: Epoch, from: Option<Position>) -> Error {
        let from = from.map_or_else(String::new, |from| format!(" at position {from}"));
        Error::new(
            ErrorKind::Superseded,
            format!(
                "shard `{shard}` was expected in epoch {}{from}, and is in epoch {} at position {}: another runner has it; nothing of the unit is written",
                epoch.get(),
                self.epoch.get(),
                self.position
            ),
        )
    }
}
