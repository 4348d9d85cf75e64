//! Trying again what was set aside (rule P10).

use std::collections::BTreeSet;

use ermine_core::{
    EventFilter, EventStorage, Op, Parked, Position, Result, Storage, StoredEvent, StreamRange,
    Unit,
};

use super::halt::Halt;
use super::wait::shard_states;
use super::worker::{Guard, Task, Worker};
use crate::projection::RebuiltBy;

/// How often an event is tried while the shard moves.
const ATTEMPTS: usize = 50;

/// What came of a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ReplayReport {
    /// The events that are applied now, and no longer parked.
    pub applied: usize,
    /// The events whose stream is archived or removed: there is nothing to apply.
    pub gone: usize,
    /// The events that failed again, and stay parked.
    pub failed: usize,
}

impl Worker {
    /// Applies what was set aside, an event after the other.
    ///
    /// What a row is follows from its stream as it is by now, and not from an event that
    /// others came after; a fold, which takes each event once, takes it now.
    pub(super) async fn replay(&mut self) -> Result<ReplayReport> {
        let mut report = ReplayReport::default();
        let mut after = Position::START;
        loop {
            let parked = self.parked(after, 100).await?;
            let Some(last) = parked.last() else {
                return Ok(report);
            };
            after = last.key.position;
            for one in parked {
                self.replay_one(&one, &mut report).await?;
            }
        }
    }

    async fn replay_one(&mut self, parked: &Parked, report: &mut ReplayReport) -> Result<()> {
        let mut attempts = 0;
        loop {
            attempts += 1;
            match self.try_replay(parked, report).await {
                Ok(()) => return Ok(()),
                // The shard moved meanwhile, or the stream was closed.
                Err(Halt::Superseded | Halt::Reload) if attempts < ATTEMPTS => {}
                Err(Halt::Pause(error)) => {
                    tracing::warn!(shard = %self.shard(), error = %error, "an event fails again");
                    let park = self.park(parked.key.position, parked.tenant.clone(), &error);
                    let ops = vec![park];
                    self.runtime.engine.commit(&Unit { ops }).await?;
                    report.failed += 1;
                    return Ok(());
                }
                Err(halt) => return Err(halt.into_error(self.shard())),
            }
        }
    }

    async fn try_replay(&mut self, parked: &Parked, report: &mut ReplayReport) -> Result<(), Halt> {
        let states = shard_states(&self.runtime).await?;
        let Some(state) = states.get(self.shard()) else {
            return Err(Halt::Superseded);
        };
        let guard = Guard {
            epoch: state.epoch,
            from: state.position,
        };
        let unpark = Op::Unpark(parked.key.clone());
        let Some(event) = self.event_at(parked.key.position).await? else {
            let ops = vec![self.hold(guard), unpark];
            self.runtime.engine.commit(&Unit { ops }).await?;
            report.gone += 1;
            return Ok(());
        };
        let events = match self.projection.rebuilt_by() {
            RebuiltBy::Folding | RebuiltBy::Delivery => vec![event],
            RebuiltBy::LastWords => self.stream_of(event, guard.from).await?,
        };
        let events = self.runtime.events.types.current_all(events);
        let events = events.map_err(Halt::Pause)?;
        let before = self.meter_of_parked();
        let task = Task {
            guard,
            to: guard.from,
            events,
            only: None,
            besides: vec![unpark],
        };
        self.perform(task).await?;
        // A text that is refused again was parked again with the rest.
        if self.meter_of_parked() > before {
            report.failed += 1;
        } else {
            report.applied += 1;
        }
        Ok(())
    }

    fn meter_of_parked(&self) -> u64 {
        self.meter.parked.load(std::sync::atomic::Ordering::Relaxed)
    }

    async fn event_at(&self, position: Position) -> Result<Option<StoredEvent>> {
        let filter = EventFilter {
            types: None,
            up_to: Some(position),
        };
        let before = Position::at(position.get().saturating_sub(1));
        loop {
            let page = self.runtime.engine.events(before, &filter, 1).await?;
            // What is held back is not gone.
            if page.ceiling >= position {
                return Ok(page.events.into_iter().next());
            }
            self.sleep(self.options.poll_least).await;
        }
    }

    /// What the shard followed of an event's stream so far, without what else is parked.
    async fn stream_of(&self, event: StoredEvent, up_to: Position) -> Result<Vec<StoredEvent>> {
        let mut parked = BTreeSet::new();
        let mut after = Position::START;
        loop {
            let page = self.parked(after, 1_000).await?;
            let Some(last) = page.last() else { break };
            after = last.key.position;
            parked.extend(page.iter().map(|parked| parked.key.position));
        }
        let range = StreamRange::whole(event.tenant.clone(), event.stream.clone());
        let mut events = self.stored_stream(range).await?;
        events.retain(|one| {
            one.position <= up_to
                && (one.position == event.position || !parked.contains(&one.position))
        });
        Ok(events)
    }
}
