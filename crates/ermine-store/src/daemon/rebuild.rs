//! Making a projection anew (rule P11).

mod estimate;
mod remove;

use std::sync::{Mutex, PoisonError};

use ermine_core::{
    Answer, ApplyError, Error, ErrorKind, EventStorage, LeaseOp, Op, Position, Read, Result,
    Storage, StoredEvent, Unit,
};

pub use self::estimate::RebuildEstimate;
use super::halt::Halt;
use super::worker::{Decided, Guard, Task, Worker};
use crate::projection::{FoldFrom, Folded, LastWords, RebuiltBy, Row};
use crate::reader::broken_answer;

/// How many parked events are read at once.
const PARKED: usize = 1_000;

/// How many rows that were folded in memory are written at once.
const FOLDED: usize = 1_000;

/// What is known after the first pass over the log.
pub(super) struct Survey {
    pub(super) last: LastWords,
    /// The rows that were folded, where events are folded into them.
    pub(super) folded: Folded,
}

impl Worker {
    /// Notes that the shard is being rebuilt up to a mark, which is returned.
    pub(super) async fn begin_rebuild(
        &self,
        guard: Guard,
        mark: Position,
    ) -> Result<Position, Halt> {
        // Elsewhere the mark may have been seen to be further, and the shard came there.
        let mark = mark.max(guard.from);
        if self.projection.rebuilt_by() == RebuiltBy::Delivery {
            return Err(Halt::Pause(Error::new(
                ErrorKind::Unsupported,
                format!(
                    "{:?} is a subscription, which makes nothing that could be made anew; give it another version, and it receives everything again",
                    self.projection.name()
                ),
            )));
        }
        let note = LeaseOp::Rebuild {
            shard: self.shard().clone(),
            epoch: guard.epoch,
            up_to: Some(mark),
        };
        self.runtime.engine.lease(&note).await?;
        Ok(mark)
    }

    /// Makes everything up to a mark anew: finds the last word on each row, writes that
    /// and nothing before it, removes what no event makes, and moves the shard to the mark.
    /// The old rows are there until theirs is written. Begun again, it ends the same.
    pub(super) async fn rebuild(&mut self, guard: Guard, up_to: Position) -> Result<(), Halt> {
        tracing::info!(shard = %self.shard(), up_to = up_to.get(), "is being rebuilt");
        // What was set aside is tried again.
        self.forget_parked(guard, up_to).await?;
        let Survey { last, mut folded } = self.survey(Some(guard), up_to).await?;
        match self.projection.rebuilt_by() {
            RebuiltBy::Folding => {
                while let Some(rows) = self.some_folded(&mut folded)? {
                    self.write(guard, guard.from, rows, Vec::new()).await?;
                    self.embedder.forget();
                }
            }
            _ => {
                let mut after = Position::START;
                while after < up_to {
                    let page = self.page_within(after, up_to).await?;
                    after = page.ceiling;
                    let mut events = self.unmarked(page.events);
                    events = self.current(guard, events).await?;
                    let task = Task {
                        guard,
                        to: guard.from,
                        events,
                        only: Some(&last),
                        besides: Vec::new(),
                    };
                    self.perform(task).await?;
                }
            }
        }
        self.remove_unknown(guard, &last).await?;
        let ops = vec![self.advance(guard, up_to)];
        self.runtime.engine.commit(&Unit { ops }).await?;
        let over = LeaseOp::Rebuild {
            shard: self.shard().clone(),
            epoch: guard.epoch,
            up_to: None,
        };
        self.runtime.engine.lease(&over).await?;
        self.runtime.shards.moved.raise();
        tracing::info!(shard = %self.shard(), up_to = up_to.get(), "is rebuilt");
        Ok(())
    }

    /// Without the marks of masked events, whose data is gone from the log itself.
    pub(super) fn unmarked(&self, mut events: Vec<StoredEvent>) -> Vec<StoredEvent> {
        events.retain(|event| event.event.event_type != crate::events::MASKED);
        events
    }

    /// The first pass: which event has the last word on each row. Without a guard nothing
    /// is set aside, and an event that cannot be applied is an error.
    pub(super) async fn survey(
        &self,
        guard: Option<Guard>,
        up_to: Position,
    ) -> Result<Survey, Halt> {
        let mut left_out = std::collections::BTreeSet::new();
        let mut tries = 0;
        'again: loop {
            let folded = Mutex::new(Folded::new());
            let mut last = LastWords::default();
            let mut after = Position::START;
            while after < up_to {
                let page = self.page_within(after, up_to).await?;
                after = page.ceiling;
                let mut events = Vec::new();
                for event in self.unmarked(page.events) {
                    if left_out.contains(&event.position) {
                        continue;
                    }
                    let said = self.runtime.events.types.current(event.clone());
                    let said = said.and_then(|event| Ok((self.projection.rows_of(&event)?, event)));
                    match said {
                        Ok((rows, event)) => {
                            for row in rows {
                                last.said(row, event.position);
                            }
                            events.push(event);
                        }
                        Err(error) => {
                            let Some(guard) = guard else {
                                return Err(Halt::Pause(error));
                            };
                            let position = event.position;
                            let error = ApplyError::new(&event, error);
                            match self.decide(guard, error, &mut tries).await? {
                                Decided::SetAside => left_out.insert(position),
                                Decided::Again => continue 'again,
                            };
                        }
                    }
                }
                if self.projection.rebuilt_by() == RebuiltBy::Folding && !events.is_empty() {
                    let guard = guard.unwrap_or(Guard {
                        epoch: ermine_core::Epoch::default(),
                        from: Position::START,
                    });
                    let before: Vec<_> = events.iter().map(|event| event.position).collect();
                    let made = self.project(guard, &mut events, None, FoldFrom::Memory(&folded));
                    match made.await {
                        Ok(_) => {}
                        // One of them was set aside: what was folded is spent.
                        Err(Halt::Reload) => {
                            let kept: std::collections::BTreeSet<_> =
                                events.iter().map(|event| event.position).collect();
                            left_out.extend(before.into_iter().filter(|p| !kept.contains(p)));
                            continue 'again;
                        }
                        Err(halt) => return Err(halt),
                    }
                }
            }
            let folded = folded.into_inner().unwrap_or_else(PoisonError::into_inner);
            return Ok(Survey { last, folded });
        }
    }

    /// The next rows of those that were folded; `None` where none are left. A row that is
    /// to be written takes several times the memory of its document.
    pub(super) fn some_folded(&self, folded: &mut Folded) -> Result<Option<Vec<Row>>, Halt> {
        if folded.is_empty() {
            return Ok(None);
        }
        let some = std::iter::from_fn(|| folded.pop_first());
        let some: Folded = some.take(FOLDED).collect();
        Ok(Some(self.projection.folded(&self.runtime, some)?))
    }

    async fn forget_parked(&self, guard: Guard, up_to: Position) -> Result<(), Halt> {
        let mut after = Position::START;
        loop {
            let parked = self.parked(after, PARKED).await?;
            let mut ops = vec![self.hold(guard)];
            let known = parked.iter().filter(|parked| parked.key.position <= up_to);
            ops.extend(known.map(|parked| Op::Unpark(parked.key.clone())));
            if ops.len() > 1 {
                self.runtime.engine.commit(&Unit { ops }).await?;
            }
            match parked.last() {
                Some(last) if parked.len() == PARKED => after = last.key.position,
                _ => return Ok(()),
            }
        }
    }

    /// The events that the shard set aside after a position.
    pub(super) async fn parked(
        &self,
        after: Position,
        limit: usize,
    ) -> Result<Vec<ermine_core::Parked>> {
        let read = Read::Parked {
            shard: self.shard().clone(),
            after,
            limit,
        };
        match self.runtime.engine.read(&[read]).await?.pop() {
            Some(Answer::Parked(parked)) => Ok(parked),
            _ => Err(broken_answer()),
        }
    }
}
