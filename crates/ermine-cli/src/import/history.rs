//! Importing a history: events first, then the vectors that follow from them.

use std::io::{Write, stdout};
use std::time::Duration;

use ermine::Store;
use ermine::text::Language;
use ermine_core::Engine;

use super::importer::counted;
use super::progress::Progress;
use crate::daemon;
use crate::failure::Failure;
use crate::history::{self, Appended, Appender, COLLECTION, Told};
use crate::model::{self, Bundled};
use crate::opening::Connected;

/// A history that is being imported.
pub(crate) struct History {
    store: Store<Engine>,
    provider: Bundled,
    appender: Appender,
    progress: Progress,
    /// How much of the progress is read and not written.
    pending: u64,
}

/// What became of it.
pub(crate) struct Replayed {
    pub(crate) store: Store<Engine>,
    counts: Appended,
    embedded: usize,
    time: Duration,
}

impl History {
    pub(crate) fn open(
        connected: Connected,
        language: Option<Language>,
        progress: Progress,
    ) -> Result<Self, Failure> {
        let provider = model::counted();
        let store = history::open(connected, language, provider.clone())?;
        Ok(Self {
            appender: Appender::new(&store),
            store,
            provider,
            progress,
            pending: 0,
        })
    }

    pub(crate) fn store(&self) -> &Store<Engine> {
        &self.store
    }

    /// Takes the next event, which is `share` of the progress.
    pub(crate) fn add(&mut self, told: Told, share: u64) -> Result<(), Failure> {
        self.pending += share;
        if self.appender.add(told)? {
            self.advance();
        }
        Ok(())
    }

    /// Counts what holds no event.
    pub(crate) fn pass_over(&mut self, share: u64) {
        self.pending += share;
    }

    fn advance(&mut self) {
        let events = self.appender.counts().events();
        self.progress
            .advance(std::mem::take(&mut self.pending), events);
    }

    /// Writes the last events, and brings the vectors up to them.
    pub(crate) fn finish(mut self) -> Result<Replayed, Failure> {
        self.appender.flush()?;
        self.advance();
        let telling = self.progress.told();
        let mut time = self.progress.finish();
        time += daemon::catch_up(&self.store.daemon(), telling)?;
        Ok(Replayed {
            counts: self.appender.counts(),
            embedded: self.provider.texts(),
            store: self.store,
            time,
        })
    }
}

impl Replayed {
    /// The summary in words.
    pub(crate) fn said(&self) -> String {
        let Appended { new, known } = self.counts;
        let events = counted(self.counts.events(), "event");
        let embedded = counted(self.embedded, "text");
        let seconds = self.time.as_secs_f64();
        format!(
            "`{COLLECTION}`: {events}: {new} new, {known} known; {embedded} embedded; {seconds:.1} s"
        )
    }

    pub(crate) fn say(&self) -> Result<(), Failure> {
        Ok(writeln!(stdout().lock(), "{}", self.said())?)
    }
}
