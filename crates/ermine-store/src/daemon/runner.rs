//! Leading a shard: the lease, then page after page.

use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ermine_core::{
    Error, ErrorKind, EventStorage, LeaseOp, LeaseState, Position, Result, Storage, Unit,
};
use futures_util::FutureExt;
use futures_util::future::{Either, select};

use super::control::Control;
use super::halt::Halt;
use super::options::backoff;
use super::wait::{Follower, shard_states};
use super::worker::{Guard, Task, Worker, storable};
use crate::projection::RebuiltBy;

/// Leads one shard whenever nobody else does.
pub(super) struct Runner {
    worker: Worker,
    control: Arc<Control>,
    /// Where it ends; `None` where it follows for good.
    goal: Option<Position>,
    failures: u32,
}

/// Why it no longer leads.
enum Ended {
    /// The daemon stops, or the goal is reached.
    Done,
    /// The shard stands still.
    Paused,
    /// Somebody else leads, or the store failed: it tries again after a while.
    Again(Duration),
}

/// What those who renew the lease tell those who work.
#[derive(Default)]
struct Told {
    pause: AtomicBool,
}

impl Runner {
    pub(super) fn new(worker: Worker, control: Arc<Control>, goal: Option<Position>) -> Self {
        Self {
            worker,
            control,
            goal,
            failures: 0,
        }
    }

    /// Runs until the daemon stops, or the goal is reached.
    ///
    /// # Errors
    ///
    /// `Paused` where there is a goal and the shard stands still before it.
    pub(super) async fn run(mut self) -> Result<()> {
        let control = self.control.clone();
        let ended = {
            let work = pin!(self.work());
            match select(work, pin!(control.abandoned())).await {
                Either::Left((ended, _)) => ended,
                Either::Right(_) => Ok(()),
            }
        };
        let given_up = self.worker.runtime.engine.lease(&self.give_up()).await;
        if let Err(error) = given_up {
            tracing::debug!(shard = %self.worker.shard(), error = %error, "the lease runs out by itself");
        }
        ended
    }

    fn give_up(&self) -> LeaseOp {
        LeaseOp::GiveUp {
            shard: self.worker.shard().clone(),
            holder: self.worker.options.holder.clone(),
        }
    }

    fn take(&self) -> LeaseOp {
        LeaseOp::Take {
            shard: self.worker.shard().clone(),
            holder: self.worker.options.holder.clone(),
            lasts: self.worker.options.lease,
        }
    }

    async fn work(&mut self) -> Result<()> {
        while self.control.goes_on() {
            // Code of the application's may panic where nothing catches it: in a provider.
            let led = AssertUnwindSafe(self.stand_by_and_lead());
            let ended = led.catch_unwind().await.unwrap_or_else(|_| {
                let shard = self.worker.shard();
                tracing::error!(%shard, "the runner panicked, and begins again");
                self.worker
                    .meter
                    .note(Some("the runner panicked".to_owned()));
                Ok(Ended::Again(Duration::from_secs(1)))
            });
            let rest = match ended {
                Ok(Ended::Done) => return Ok(()),
                Ok(Ended::Paused) => {
                    if self.goal.is_some() {
                        return Err(self.paused().await);
                    }
                    self.worker.options.poll_most
                }
                Ok(Ended::Again(rest)) => rest,
                Err(error) => {
                    let wait = backoff(self.worker.options.poll_least, self.failures);
                    self.failures = self.failures.saturating_add(1);
                    tracing::warn!(shard = %self.worker.shard(), error = %error, "the shard failed, and is tried again");
                    self.worker.meter.note(Some(error.to_string()));
                    wait.min(Duration::from_secs(10))
                }
            };
            self.rest(rest, self.control.changed.count()).await;
        }
        Ok(())
    }

    /// The error of a run with a goal whose shard stands still.
    async fn paused(&self) -> Error {
        let shard = self.worker.shard();
        let states = shard_states(&self.worker.runtime).await;
        let reason = states
            .ok()
            .and_then(|states| states.get(shard)?.paused.clone());
        Error::new(
            ErrorKind::Paused,
            format!(
                "shard `{shard}` is paused because {}; deal with that and resume it",
                reason.unwrap_or_else(|| "somebody asked for it".to_owned())
            ),
        )
    }

    /// Rests for a while, unless the daemon is told something meanwhile.
    async fn rest(&self, time: Duration, seen: u64) {
        let sleep = self.worker.options.clock.sleep(time);
        select(sleep, pin!(self.control.changed.since(seen))).await;
    }

    /// Looks whether the shard can be led, and leads it.
    async fn stand_by_and_lead(&mut self) -> Result<Ended> {
        let states = shard_states(&self.worker.runtime).await?;
        if let Some(state) = states.get(self.worker.shard()) {
            if self.goal.is_some_and(|goal| state.position >= goal) && state.rebuilding.is_none() {
                return Ok(Ended::Done);
            }
            if state.paused.is_some() {
                return Ok(Ended::Paused);
            }
            let own = &self.worker.options.holder;
            if state.holder.as_ref().is_some_and(|holder| holder != own) {
                return Ok(Ended::Again(self.worker.options.poll_most));
            }
        }
        let lease = self.worker.runtime.engine.lease(&self.take()).await?;
        if !self.leads(&lease) {
            return Ok(Ended::Again(self.worker.options.poll_most));
        }
        tracing::info!(shard = %self.worker.shard(), epoch = lease.epoch.get(), position = lease.position.get(), "leads");
        self.lead(lease).await
    }

    fn leads(&self, lease: &LeaseState) -> bool {
        lease.holder.as_ref() == Some(&self.worker.options.holder)
    }

    /// Works, and renews the lease meanwhile.
    async fn lead(&mut self, lease: LeaseState) -> Result<Ended> {
        let told = Told::default();
        let _leads = self.worker.meter.leads();
        let follower = Follower::of(&self.worker.runtime);
        let renew = {
            let (runtime, options) = (self.worker.runtime.clone(), self.worker.options.clone());
            let (take, control, told) = (self.take(), self.control.clone(), &told);
            let meter = self.worker.meter.clone();
            async move {
                loop {
                    options.clock.sleep(options.renewal()).await;
                    // However long a page takes, its first event waits meanwhile.
                    meter.waits(options.clock.now());
                    match runtime.engine.lease(&take).await {
                        Ok(lease) if lease.holder.as_ref() != Some(&options.holder) => return,
                        Ok(lease) if lease.paused.is_some() => {
                            told.pause.store(true, Ordering::SeqCst);
                            control.changed.raise();
                        }
                        Ok(_) => {}
                        // The guard of each batch refuses what comes too late.
                        Err(error) => {
                            tracing::warn!(shard = %take.shard(), error = %error, "the lease was not renewed");
                        }
                    }
                }
            }
        };
        let work = pin!(self.pages(lease, &told, &follower));
        match select(work, pin!(renew)).await {
            Either::Left((ended, _)) => ended,
            Either::Right(((), _)) => Ok(Ended::Again(Duration::ZERO)),
        }
    }

    async fn pages(
        &mut self,
        lease: LeaseState,
        told: &Told,
        follower: &Follower,
    ) -> Result<Ended> {
        let mut guard = Guard {
            epoch: lease.epoch,
            from: lease.position,
        };
        let mut rebuilding = lease.rebuilding;
        let mut idle = 0;
        loop {
            let seen = self.control.changed.count();
            let is_there = self.goal.is_some_and(|goal| guard.from >= goal);
            if !self.control.goes_on() || (is_there && rebuilding.is_none()) {
                return Ok(Ended::Done);
            }
            if told.pause.load(Ordering::SeqCst) || lease.paused.is_some() {
                return self.paused_now().await;
            }
            let stepped = match rebuilding {
                Some(up_to) => self.worker.rebuild(guard, up_to).await.map(|_| Step {
                    to: up_to,
                    mark: up_to,
                    rebuild: None,
                    events: 1,
                }),
                None => self.step(guard).await,
            };
            match stepped {
                Ok(step) => {
                    self.failures = 0;
                    self.worker.meter.note(None);
                    rebuilding = step.rebuild;
                    let moved = step.to > guard.from;
                    guard.from = step.to;
                    if step.events > 0 || step.rebuild.is_some() {
                        idle = 0;
                        continue;
                    }
                    if self.goal.is_some_and(|goal| guard.from >= goal) {
                        continue;
                    }
                    idle = if moved { 0 } else { idle + 1 };
                    let options = &self.worker.options;
                    let most = backoff(options.poll_least, idle).min(options.poll_most);
                    follower
                        .wait(step.mark, options, most, &self.control, seen)
                        .await;
                }
                Err(Halt::Superseded) => return Ok(Ended::Again(Duration::ZERO)),
                Err(Halt::Reload) => {}
                Err(Halt::Pause(error)) => {
                    let shard = self.worker.shard().clone();
                    tracing::error!(%shard, error = %error, "the shard is paused");
                    let pause = LeaseOp::Pause {
                        shard,
                        reason: Some(storable(&error.to_string())),
                    };
                    self.worker.runtime.engine.lease(&pause).await?;
                    return self.paused_now().await;
                }
                Err(Halt::Failed(error)) => return Err(error),
            }
        }
    }

    /// Nobody leads a shard that stands still, so that it can be rebuilt.
    async fn paused_now(&self) -> Result<Ended> {
        self.worker.runtime.engine.lease(&self.give_up()).await?;
        self.worker.runtime.shards.moved.raise();
        Ok(Ended::Paused)
    }

    /// Applies the next page.
    async fn step(&mut self, guard: Guard) -> Result<Step, Halt> {
        let worker = &mut self.worker;
        let page = worker.page(guard.from, None).await?;
        let (to, mark) = (page.ceiling, page.mark);
        let count = page.events.len();
        let first = page.events.first().map(|event| event.event.at);
        worker.tell(guard.from, mark, first);
        let is_new = guard.from == Position::START && worker.projection.version() > 1;
        if is_new && count > 0 && worker.projection.rebuilt_by() != RebuiltBy::Delivery {
            // Another version was before this one, and what it alone made is to go.
            return Ok(Step {
                to: guard.from,
                mark,
                rebuild: Some(worker.begin_rebuild(guard, mark).await?),
                events: count,
            });
        }
        if count == 0 {
            if to > guard.from {
                let ops = vec![worker.advance(guard, to)];
                worker.runtime.engine.commit(&Unit { ops }).await?;
                worker.runtime.shards.moved.raise();
                worker.tell(to, mark, None);
            }
            return Ok(Step {
                to,
                mark,
                rebuild: None,
                events: 0,
            });
        }
        let followed = worker.followed(guard, page.events).await?;
        if followed.masked && worker.projection.rebuilt_by() == RebuiltBy::Folding {
            // What a masked event did to a sum cannot be undone by itself.
            return Ok(Step {
                to: guard.from,
                mark,
                rebuild: Some(worker.begin_rebuild(guard, mark).await?),
                events: count,
            });
        }
        let task = Task {
            guard,
            to,
            events: followed.events,
            only: None,
            besides: Vec::new(),
        };
        worker.perform(task).await?;
        // Where events are left, the next page will tell since when.
        worker.tell(to, mark, first.filter(|_| to < mark));
        Ok(Step {
            to,
            mark,
            rebuild: None,
            events: count,
        })
    }
}

/// What a page came to.
struct Step {
    to: Position,
    mark: Position,
    /// A rebuild that was begun instead.
    rebuild: Option<Position>,
    events: usize,
}
