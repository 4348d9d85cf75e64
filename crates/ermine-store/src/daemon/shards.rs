//! What a process knows of its shards, beside what is stored.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ermine_core::ShardName;

use super::signal::Signal;
use crate::projection::Projection;

/// The shards of an open store.
pub(crate) struct Shards {
    /// Raised whenever a shard of this process moved.
    pub(crate) moved: Signal,
    /// How long a read waits for the shards that feed what it reads.
    pub(crate) wait_at_most: Duration,
    meters: HashMap<ShardName, Arc<Meter>>,
}

impl Default for Shards {
    fn default() -> Self {
        Self {
            moved: Signal::default(),
            wait_at_most: Duration::from_secs(10),
            meters: HashMap::new(),
        }
    }
}

impl Shards {
    pub(crate) fn of(projections: &[Arc<dyn Projection>], wait_at_most: Option<Duration>) -> Self {
        let shards = projections.iter().map(|p| p.shard().clone());
        let usual = Self::default();
        Self {
            wait_at_most: wait_at_most.unwrap_or(usual.wait_at_most),
            meters: shards.map(|shard| (shard, Arc::default())).collect(),
            ..usual
        }
    }

    /// What this process counted for a shard.
    pub(super) fn meter(&self, shard: &ShardName) -> Arc<Meter> {
        self.meters.get(shard).cloned().unwrap_or_default()
    }
}

/// Counts of one shard, since the process began.
#[derive(Default)]
pub(super) struct Meter {
    pub(super) events: AtomicU64,
    pub(super) written: AtomicU64,
    pub(super) unchanged: AtomicU64,
    pub(super) removed: AtomicU64,
    pub(super) parked: AtomicU64,
    pub(super) calls: AtomicU64,
    pub(super) texts: AtomicU64,
    pub(super) tokens: AtomicU64,
    problem: Mutex<Option<String>>,
}

impl Meter {
    pub(super) fn add(counter: &AtomicU64, number: usize) {
        counter.fetch_add(number as u64, Ordering::Relaxed);
    }

    /// Notes what goes wrong at present, or that nothing does.
    pub(super) fn note(&self, problem: Option<String>) {
        *self.problem.lock().unwrap_or_else(PoisonError::into_inner) = problem;
    }

    pub(super) fn problem(&self) -> Option<String> {
        let problem = self.problem.lock();
        problem.unwrap_or_else(PoisonError::into_inner).clone()
    }
}
