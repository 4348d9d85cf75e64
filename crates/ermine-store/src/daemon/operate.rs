//! Looking after projections: status, pauses, rebuilds, parked events, waiting.

use std::pin::pin;
use std::time::Duration;

use ermine_core::{Error, ErrorKind, EventStorage, LeaseOp, LeaseState, Parked, Position, Result};
use futures_util::future::{Either, select};

use super::wait::wait_for;
use super::worker::{Guard, Worker, storable};
use super::{Daemon, RebuildEstimate, ReplayReport, ShardStatus};

impl Daemon {
    fn worker(&self, name: &str) -> Result<Worker> {
        let projection = self.projection(name)?;
        Ok(Worker::new(&self.runtime, projection, &self.options))
    }

    /// The state of every shard, in the order in which they were declared.
    ///
    /// # Errors
    ///
    /// Those of the store.
    pub async fn status(&self) -> Result<Vec<ShardStatus>> {
        let mut all = Vec::new();
        for projection in self.projections() {
            let worker = Worker::new(&self.runtime, projection, &self.options);
            all.push(worker.status().await?);
        }
        Ok(all)
    }

    /// Lets a projection stand still, in every process, until it is resumed. A page that
    /// is begun is applied; another process notices within a third of its lease.
    ///
    /// # Errors
    ///
    /// `UnknownCollection` where there is no such projection; those of the store.
    pub async fn pause(&self, projection: &str, reason: impl Into<String>) -> Result<()> {
        self.set_pause(projection, Some(storable(&reason.into())))
            .await
    }

    /// Lets a projection that stands still go on, whatever the reason was.
    ///
    /// # Errors
    ///
    /// As [`pause`](Self::pause).
    pub async fn resume(&self, projection: &str) -> Result<()> {
        self.set_pause(projection, None).await
    }

    async fn set_pause(&self, projection: &str, reason: Option<String>) -> Result<()> {
        let shard = self.projection(projection)?.shard().clone();
        let pause = LeaseOp::Pause { shard, reason };
        self.runtime.engine.lease(&pause).await?;
        self.control.changed.raise();
        Ok(())
    }

    /// Makes a projection anew, from the first event to the last there is now: writes the
    /// final content of each row, and removes what no event makes. The old rows are found
    /// until the new ones are written, and a text that is unchanged costs no call (rule
    /// P11). Whoever leads the shard gives it up for that; where this one is cut off,
    /// whoever leads next ends it.
    ///
    /// # Errors
    ///
    /// `UnknownCollection` where there is no such projection, `Unsupported` for a
    /// subscription, `Timeout` where another process does not give up the shard, `Paused`
    /// where it cannot go on, and those of the store.
    pub async fn rebuild(&self, projection: &str) -> Result<()> {
        let mut worker = self.worker(projection)?;
        let paused = "it is about to be rebuilt".to_owned();
        self.pause(projection, paused).await?;
        let begun = self.begin_rebuild(&worker).await;
        // Whatever came of it, the pause is not to outlast it.
        self.resume(projection).await?;
        let (guard, up_to) = begun?;
        let options = self.options.clone();
        let engine = self.runtime.engine.clone();
        let take = self.take(&worker);
        let renewed = async {
            loop {
                options.clock.sleep(options.renewal()).await;
                // The guard of each batch refuses what comes too late.
                if let Err(error) = engine.lease(&take).await {
                    tracing::warn!(shard = %take.shard(), error = %error, "the lease was not renewed");
                }
            }
        };
        let shard = worker.shard().clone();
        let rebuilt = {
            let rebuild = pin!(async {
                loop {
                    match worker.rebuild(guard, up_to).await {
                        Err(super::halt::Halt::Reload) => {}
                        ended => return ended,
                    }
                }
            });
            match select(rebuild, pin!(renewed)).await {
                Either::Left((rebuilt, _)) => rebuilt,
                Either::Right(((), _)) => Ok(()),
            }
        };
        let rebuilt = match rebuilt {
            Err(super::halt::Halt::Pause(error)) => {
                self.pause(projection, error.to_string()).await?;
                Err(error)
            }
            other => other.map_err(|halt| halt.into_error(&shard)),
        };
        let give_up = LeaseOp::GiveUp {
            shard,
            holder: self.rebuilder(),
        };
        self.runtime.engine.lease(&give_up).await?;
        self.control.changed.raise();
        rebuilt
    }

    fn rebuilder(&self) -> String {
        format!("{}, rebuilding", self.options.holder)
    }

    fn take(&self, worker: &Worker) -> LeaseOp {
        LeaseOp::Take {
            shard: worker.shard().clone(),
            holder: self.rebuilder(),
            lasts: self.options.lease,
        }
    }

    /// Takes the lease from whoever has it, who was asked to stand still.
    async fn begin_rebuild(&self, worker: &Worker) -> Result<(Guard, Position)> {
        let take = self.take(worker);
        let clock = &self.options.clock;
        let begun = clock.now();
        let lease: LeaseState = loop {
            let lease = self.runtime.engine.lease(&take).await?;
            if lease.holder.as_ref() == Some(&self.rebuilder()) {
                break lease;
            }
            if clock.now().saturating_since(begun) > self.options.lease * 4 {
                return Err(Error::new(
                    ErrorKind::Timeout,
                    format!(
                        "shard `{}` is led by {}, which does not give it up",
                        worker.shard(),
                        lease.holder.unwrap_or_default()
                    ),
                ));
            }
            clock.sleep(self.options.poll_least).await;
        };
        let guard = Guard {
            epoch: lease.epoch,
            from: lease.position,
        };
        let mark = self.log().await?.mark;
        let begun = worker.begin_rebuild(guard, mark).await;
        let up_to = begun.map_err(|halt| halt.into_error(worker.shard()))?;
        Ok((guard, up_to))
    }

    /// What a rebuild of a projection would cost now: nothing is written, and no call made.
    ///
    /// # Errors
    ///
    /// `UnknownCollection` where there is no such projection; what keeps an event from
    /// being applied; those of the store.
    pub async fn estimate_rebuild(&self, projection: &str) -> Result<RebuildEstimate> {
        let mut worker = self.worker(projection)?;
        let mark = self.log().await?.mark;
        let estimate = worker.estimate(mark).await;
        estimate.map_err(|halt| halt.into_error(worker.shard()))
    }

    /// The events that a projection set aside after a position, with the reason for each,
    /// at most `limit` of them.
    ///
    /// # Errors
    ///
    /// `UnknownCollection` where there is no such projection; those of the store.
    pub async fn parked(
        &self,
        projection: &str,
        after: Position,
        limit: usize,
    ) -> Result<Vec<Parked>> {
        self.worker(projection)?.parked(after, limit).await
    }

    /// Applies what a projection set aside: what fails again stays parked. The shard may
    /// run meanwhile.
    ///
    /// # Errors
    ///
    /// `UnknownCollection` where there is no such projection; those of the store.
    pub async fn replay_parked(&self, projection: &str) -> Result<ReplayReport> {
        let strict = self.clone();
        let strict = strict
            .on_error(crate::ErrorPolicy::Stop)
            .on_error_of(projection, crate::ErrorPolicy::Stop);
        strict.worker(projection)?.replay().await
    }

    /// Waits until every projection has applied what is committed by now, whoever runs it.
    ///
    /// # Errors
    ///
    /// `Timeout`, naming the projection that is farthest behind and why.
    pub async fn catch_up(&self, at_most: Duration) -> Result<()> {
        let given = self.log().await?.given;
        self.wait_for(given, at_most).await
    }

    /// Waits until every projection has come to a position, whoever runs it: a
    /// [`Token`](ermine_core::Token)'s, or an event's.
    ///
    /// # Errors
    ///
    /// As [`catch_up`](Self::catch_up).
    pub async fn wait_for(&self, position: Position, at_most: Duration) -> Result<()> {
        let all: Vec<_> = self.projections().iter().collect();
        let clock = &*self.options.clock;
        wait_for(&self.runtime, &all, clock, position, at_most).await
    }
}
