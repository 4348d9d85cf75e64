//! Telling running shards to stop.

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use super::signal::Signal;

/// What the shards of one daemon are to do.
#[derive(Default)]
pub(super) struct Control {
    phase: AtomicU8,
    running: AtomicUsize,
    /// Raised when that changes, and when a shard was paused or resumed here.
    pub(super) changed: Signal,
}

const DRAIN: u8 = 1;
const ABANDON: u8 = 2;

impl Control {
    /// Whether a shard may begin another page.
    pub(super) fn goes_on(&self) -> bool {
        self.phase.load(Ordering::SeqCst) == 0
    }

    fn set(&self, phase: u8) {
        self.phase.fetch_max(phase, Ordering::SeqCst);
        self.changed.raise();
    }

    /// Lets pages that are begun be the last.
    pub(super) fn drain(&self) {
        self.set(DRAIN);
    }

    /// Lets even those be.
    pub(super) fn abandon(&self) {
        self.set(ABANDON);
    }

    /// Returns once even pages that are begun are to be left.
    pub(super) async fn abandoned(&self) {
        loop {
            let seen = self.changed.count();
            if self.phase.load(Ordering::SeqCst) >= ABANDON {
                return;
            }
            self.changed.since(seen).await;
        }
    }

    /// Counts a run, until what is returned is dropped.
    pub(super) fn begin(self: &std::sync::Arc<Self>) -> Running {
        self.running.fetch_add(1, Ordering::SeqCst);
        Running(self.clone())
    }

    /// Returns once nothing runs.
    pub(super) async fn ended(&self) {
        loop {
            let seen = self.changed.count();
            if self.running.load(Ordering::SeqCst) == 0 {
                return;
            }
            self.changed.since(seen).await;
        }
    }
}

/// A run that is not over.
pub(super) struct Running(std::sync::Arc<Control>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
        self.0.changed.raise();
    }
}
