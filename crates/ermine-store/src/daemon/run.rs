//! Running, and stopping.

use std::pin::pin;
use std::sync::Arc;

use ermine_core::{
    BoxFuture, Error, ErrorKind, EventFilter, EventPage, EventStorage, Position, Result,
};
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use futures_util::stream::FuturesUnordered;

use super::control::Control;
use super::runner::Runner;
use super::telemetry::describe;
use super::thread::block_on;
use super::worker::Worker;
use super::{Daemon, DaemonHandle};

impl Daemon {
    /// Runs every shard that nobody else runs, until [`stop`](Self::stop) or until the
    /// future is dropped. It needs no particular executor; what the providers need, theirs
    /// must have.
    pub fn run(&self) -> BoxFuture<'static, ()> {
        let shards = self.shards(&self.control, None);
        let running = self.control.begin();
        Box::pin(async move {
            let mut shards = shards;
            // Without a goal nothing ends with an error.
            while shards.next().await.is_some() {}
            drop(running);
        })
    }

    /// [`run`](Self::run), on a thread of its own.
    ///
    /// # Errors
    ///
    /// `Storage` where the thread cannot be started.
    pub fn spawn(&self) -> Result<DaemonHandle> {
        let run = self.run();
        let thread = std::thread::Builder::new().name("ermine-daemon".to_owned());
        let thread = thread.spawn(move || block_on(run)).map_err(|error| {
            Error::new(ErrorKind::Storage, "the daemon's thread cannot be started")
                .with_source(error)
        })?;
        Ok(DaemonHandle::new(self.clone(), thread))
    }

    /// Runs the shards until each has applied what was committed before this began, and
    /// returns: for a program that is no daemon. A shard that somebody else leads is
    /// waited for, and a rebuild that was cut off is ended.
    ///
    /// # Errors
    ///
    /// `Paused` where a shard stands still before that, whose reason is in the message.
    pub async fn run_until_caught_up(&self) -> Result<()> {
        let goal = self.log().await?.given;
        let control = Arc::new(Control::default());
        let mut shards = self.shards(&control, Some(goal));
        let mut first = Ok(());
        while let Some(ended) = shards.next().await {
            first = first.and(ended);
        }
        first
    }

    fn shards(
        &self,
        control: &Arc<Control>,
        goal: Option<Position>,
    ) -> FuturesUnordered<BoxFuture<'static, Result<()>>> {
        describe();
        let projections = self.projections().iter();
        let run = |projection| -> BoxFuture<'static, Result<()>> {
            let worker = Worker::new(&self.runtime, projection, &self.options);
            Box::pin(Runner::new(worker, control.clone(), goal).run())
        };
        projections.map(run).collect()
    }

    /// How far the log goes: a page of no events.
    pub(super) async fn log(&self) -> Result<EventPage> {
        let filter = EventFilter {
            types: Some(Vec::new()),
            up_to: None,
        };
        let engine = &self.runtime.engine;
        engine.events(Position::START, &filter, 1).await
    }

    /// Lets the pages that are begun be the last, and waits for them, for as long as
    /// [`drain`](Self::drain) says; what is not done then is left, and done by whoever leads
    /// next. Leases are given up. Of what does not run, nothing happens.
    pub async fn stop(&self) {
        self.control.drain();
        let bound = self.options.clock.sleep(self.options.drain);
        if let Either::Right(_) = select(pin!(self.control.ended()), bound).await {
            self.control.abandon();
            self.control.ended().await;
        }
    }

    /// Asks it to stop, and does not wait.
    pub(super) fn ask_to_stop(&self) {
        self.control.drain();
    }
}
