//! What works for one shard: it projects events, has texts embedded, and writes.

use std::sync::Arc;
use std::time::Duration;

use ermine_core::{
    Advance, ApplyError, Epoch, Error, ErrorKind, Op, Parked, ParkedKey, Position, ShardName,
    Storage, StoredEvent, Timestamp, Unit,
};

use super::embedder::Embedder;
use super::halt::Halt;
use super::options::{Options, backoff};
use super::shards::Meter;
use super::telemetry::Count;
use crate::ErrorPolicy;
use crate::projection::{FoldFrom, Input, LastWords, Projection, ProjectionError, RebuiltBy, Row};
use crate::runtime::Runtime;

pub(super) struct Worker {
    pub(super) runtime: Arc<Runtime>,
    pub(super) projection: Arc<dyn Projection>,
    pub(super) options: Arc<Options>,
    pub(super) meter: Arc<Meter>,
    pub(super) embedder: Embedder,
}

/// What a batch is guarded by: the shard is led in this epoch, and is here (rule P1).
#[derive(Debug, Clone, Copy)]
pub(super) struct Guard {
    pub(super) epoch: Epoch,
    pub(super) from: Position,
}

/// What is done with some events.
pub(super) struct Task<'a> {
    pub(super) guard: Guard,
    /// Where the shard will be.
    pub(super) to: Position,
    pub(super) events: Vec<StoredEvent>,
    /// Where rows are made anew: only those whose last word is among the events.
    pub(super) only: Option<&'a LastWords>,
    /// What else the last batch does.
    pub(super) besides: Vec<Op>,
}

/// What becomes of an event that could not be applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decided {
    /// It is recorded, and left out.
    SetAside,
    /// It is tried again.
    Again,
}

impl Worker {
    pub(super) fn new(
        runtime: &Arc<Runtime>,
        projection: &Arc<dyn Projection>,
        options: &Arc<Options>,
    ) -> Self {
        let meter = runtime.shards.meter(&**projection);
        Self {
            runtime: runtime.clone(),
            projection: projection.clone(),
            options: options.clone(),
            embedder: Embedder::new(runtime, options, &meter),
            meter,
        }
    }

    pub(super) fn shard(&self) -> &ShardName {
        self.projection.shard()
    }

    /// Projects events and writes what they make, in one batch or several; the last one
    /// moves the shard.
    pub(super) async fn perform(&mut self, task: Task<'_>) -> Result<(), Halt> {
        let Task {
            guard,
            to,
            mut events,
            only,
            besides,
        } = task;
        let rows = self
            .project(guard, &mut events, only, FoldFrom::Stored)
            .await?;
        // Without those that were set aside.
        let count = events.len();
        self.write(guard, to, rows, besides).await?;
        self.embedder.forget();
        self.meter.add(Count::Events, count);
        Ok(())
    }

    /// What some events make; those that cannot be applied are dealt with by the policy,
    /// and where they are set aside, taken out of the list (rule P10).
    pub(super) async fn project(
        &self,
        guard: Guard,
        events: &mut Vec<StoredEvent>,
        only: Option<&LastWords>,
        folding: FoldFrom<'_>,
    ) -> Result<Vec<Row>, Halt> {
        let mut tries = 0;
        loop {
            let input = Input {
                runtime: &self.runtime,
                events,
                only,
                folding,
            };
            let error = match self.projection.project(input).await {
                Ok(rows) => return Ok(rows),
                Err(ProjectionError::Failed(error)) => return Err(error.into()),
                Err(ProjectionError::Apply(error)) => error,
            };
            let position = error.position;
            let before = events.len();
            if self.decide(guard, error, &mut tries).await? == Decided::SetAside {
                events.retain(|event| event.position != position);
                if events.len() == before {
                    let problem =
                        format!("the event at position {position} fails, and is not in the page");
                    return Err(Halt::Pause(Error::new(ErrorKind::Corrupt, problem)));
                }
            }
            // A row's memory is spent by a page that failed: whoever folds begins anew.
            if matches!(folding, FoldFrom::Memory(_)) {
                return Err(Halt::Reload);
            }
        }
    }

    /// Deals with an event that cannot be applied.
    pub(super) async fn decide(
        &self,
        guard: Guard,
        error: ApplyError,
        tries: &mut u32,
    ) -> Result<Decided, Halt> {
        let mut policy = self.options.policy(self.projection.name());
        if policy == ErrorPolicy::Park && self.projection.rebuilt_by() == RebuiltBy::Delivery {
            policy = ErrorPolicy::Stop;
        }
        tracing::warn!(shard = %self.shard(), position = error.position.get(), error = %error, "an event cannot be applied");
        match policy {
            ErrorPolicy::Park => {
                let unit = Unit {
                    ops: vec![
                        self.hold(guard),
                        self.park(error.position, error.tenant, &error.error),
                    ],
                };
                self.runtime.engine.commit(&unit).await?;
                self.meter.add(Count::Parked, 1);
                Ok(Decided::SetAside)
            }
            ErrorPolicy::Retry {
                times,
                backoff: first,
            } if *tries < times => {
                let wait = backoff(first, *tries);
                *tries += 1;
                self.meter.note(Some(error.to_string()));
                self.sleep(wait).await;
                Ok(Decided::Again)
            }
            _ => Err(Halt::Pause(error.error.in_context(format_args!(
                "the event at position {} cannot be applied",
                error.position
            )))),
        }
    }

    pub(super) fn park(
        &self,
        position: Position,
        tenant: Option<ermine_core::TenantId>,
        reason: &Error,
    ) -> Op {
        Op::Park(Parked {
            key: ParkedKey {
                shard: self.shard().clone(),
                position,
            },
            tenant,
            reason: storable(&reason.to_string()),
            at: self.options.clock.now(),
        })
    }

    /// The guard of a batch that does not move the shard.
    pub(super) fn hold(&self, guard: Guard) -> Op {
        self.advance(guard, guard.from)
    }

    pub(super) fn advance(&self, guard: Guard, to: Position) -> Op {
        Op::Advance(Advance {
            shard: self.shard().clone(),
            epoch: guard.epoch,
            from: guard.from,
            to,
        })
    }

    /// Tells where the shard is: see [`Meter::moved`].
    pub(super) fn tell(&self, to: Position, mark: Position, since: Option<Timestamp>) {
        self.meter.moved(to, mark, since);
        self.meter.waits(self.options.clock.now());
    }

    pub(super) async fn sleep(&self, time: Duration) {
        self.options.clock.sleep(time).await;
    }

    /// The error of a batch whose kept vectors changed again and again.
    pub(super) fn outdated(&self, error: Error) -> Halt {
        Halt::Failed(
            Error::new(
                ErrorKind::Conflict,
                format!(
                    "others keep changing the vectors that shard `{}` would keep",
                    self.shard()
                ),
            )
            .with_source(error),
        )
    }
}

/// A reason as every store keeps it: text with U+0000 is refused by some, and a shard that
/// cannot be paused or park an event because of what its error says would try for ever.
pub(super) fn storable(reason: &str) -> String {
    reason.replace('\0', "\u{fffd}")
}
