//! What a health check reads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ermine_core::{Epoch, EventStorage, Position, Result};

use super::shards::Meter;
use super::wait::shard_states;
use super::worker::Worker;

/// The state of one shard, for every process that shares the store, and what this one
/// counted of it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ShardStatus {
    /// The projection's name.
    pub projection: String,
    /// The shard's: the name and the version.
    pub shard: String,
    /// Every event it follows up to here is applied.
    pub position: Position,
    /// The high-water mark: how far the log goes.
    pub mark: Position,
    /// How many positions beyond the mark were given out: their events are committed, or
    /// about to be, and somebody who registered earlier and is not done holds all readers
    /// up (rule E5). For more than a moment it is a transaction that hangs.
    pub held_back: u64,
    /// How many positions lie between position and mark. Those of types that it does not follow
    /// count too, until it passes them by; 0 is caught up.
    pub lag_events: u64,
    /// How long ago the first event that it follows and has not applied happened; zero
    /// where there is none.
    pub lag: Duration,
    /// Who leads it; `None` where nobody does, so that it does not move.
    pub leader: Option<String>,
    /// The epoch of its last lease.
    pub epoch: Epoch,
    /// Why it is paused, if it is.
    pub paused: Option<String>,
    /// The mark up to which it is being rebuilt, if it is.
    pub rebuilding: Option<Position>,
    /// What goes wrong at present in this process, if anything does.
    pub problem: Option<String>,
    /// What this process did.
    pub counts: ShardCounts,
}

/// Counts of one shard in one process, since it began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ShardCounts {
    /// Events applied.
    pub events: u64,
    /// Rows written.
    pub written: u64,
    /// Rows whose text was as before, so that their vector was kept.
    pub unchanged: u64,
    /// Rows removed.
    pub removed: u64,
    /// Events set aside.
    pub parked: u64,
    /// Calls of a provider, failed ones included.
    pub calls: u64,
    /// Texts that were embedded.
    pub texts: u64,
    /// The tokens of those texts.
    pub tokens: u64,
}

impl ShardStatus {
    /// Whether it applied all there is.
    pub fn is_caught_up(&self) -> bool {
        self.position >= self.mark && self.held_back == 0 && self.rebuilding.is_none()
    }
}

impl Meter {
    pub(super) fn counts(&self) -> ShardCounts {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        ShardCounts {
            events: read(&self.events),
            written: read(&self.written),
            unchanged: read(&self.unchanged),
            removed: read(&self.removed),
            parked: read(&self.parked),
            calls: read(&self.calls),
            texts: read(&self.texts),
            tokens: read(&self.tokens),
        }
    }
}

impl Worker {
    pub(super) async fn status(&self) -> Result<ShardStatus> {
        let states = shard_states(&self.runtime).await?;
        let state = states.get(self.shard());
        let position = state.map_or(Position::START, |state| state.position);
        let filter = self.filter(None);
        let page = self.runtime.engine.events(position, &filter, 1).await?;
        let now = self.options.clock.now();
        let first = page.events.first();
        Ok(ShardStatus {
            projection: self.projection.name().to_owned(),
            shard: self.shard().to_string(),
            position,
            mark: page.mark,
            held_back: page.given.get().saturating_sub(page.mark.get()),
            lag_events: page.mark.get().saturating_sub(position.get()),
            lag: first.map_or(Duration::ZERO, |event| now.saturating_since(event.event.at)),
            leader: state.and_then(|state| state.holder.clone()),
            epoch: state.map_or(Epoch::default(), |state| state.epoch),
            paused: state.and_then(|state| state.paused.clone()),
            rebuilding: state.and_then(|state| state.rebuilding),
            problem: self.meter.problem(),
            counts: self.meter.counts(),
        })
    }
}
