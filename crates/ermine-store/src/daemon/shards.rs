//! What a process knows of its shards, beside what is stored.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ermine_core::{Position, ShardName, Timestamp};

use super::signal::Signal;
use super::telemetry::{Count, Gauge, Labels};
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
        let meters = projections.iter().map(|p| {
            let meter = Meter::of(p.name(), p.shard());
            (p.shard().clone(), Arc::new(meter))
        });
        let usual = Self::default();
        Self {
            wait_at_most: wait_at_most.unwrap_or(usual.wait_at_most),
            meters: meters.collect(),
            ..usual
        }
    }

    /// What this process counted for a projection's shard.
    pub(super) fn meter(&self, projection: &dyn Projection) -> Arc<Meter> {
        let own = self.meters.get(projection.shard()).cloned();
        own.unwrap_or_else(|| Arc::new(Meter::of(projection.name(), projection.shard())))
    }
}

/// Counts of one shard, since the process began.
pub(super) struct Meter {
    labels: Labels,
    pub(super) events: AtomicU64,
    pub(super) written: AtomicU64,
    pub(super) unchanged: AtomicU64,
    pub(super) removed: AtomicU64,
    pub(super) parked: AtomicU64,
    pub(super) calls: AtomicU64,
    pub(super) texts: AtomicU64,
    pub(super) tokens: AtomicU64,
    problem: Mutex<Option<String>>,
    /// When the first event happened that was not applied as the log was last read.
    waits_since: Mutex<Option<Timestamp>>,
}

impl Meter {
    fn of(projection: &str, shard: &ShardName) -> Self {
        Self {
            labels: Labels::of(projection, shard),
            events: AtomicU64::default(),
            written: AtomicU64::default(),
            unchanged: AtomicU64::default(),
            removed: AtomicU64::default(),
            parked: AtomicU64::default(),
            calls: AtomicU64::default(),
            texts: AtomicU64::default(),
            tokens: AtomicU64::default(),
            problem: Mutex::default(),
            waits_since: Mutex::default(),
        }
    }

    pub(super) fn add(&self, count: Count, number: usize) {
        let counter = match count {
            Count::Events => &self.events,
            Count::Written => &self.written,
            Count::Unchanged => &self.unchanged,
            Count::Removed => &self.removed,
            Count::Parked => &self.parked,
            Count::Calls => &self.calls,
            Count::Texts => &self.texts,
            Count::Tokens => &self.tokens,
        };
        counter.fetch_add(number as u64, Ordering::Relaxed);
        self.labels.count(count, number as u64);
    }

    /// Tells where the shard is, how far the log goes, and when the first event happened
    /// that lies between.
    pub(super) fn moved(&self, to: Position, mark: Position, since: Option<Timestamp>) {
        let behind = mark.get().saturating_sub(to.get());
        self.labels.measure(Gauge::Position, to.get() as f64);
        self.labels.measure(Gauge::LagEvents, behind as f64);
        *(self.waits_since.lock()).unwrap_or_else(PoisonError::into_inner) = since;
    }

    /// Tells how long the first event that is not applied has waited by now.
    pub(super) fn waits(&self, now: Timestamp) {
        let since = *(self.waits_since.lock()).unwrap_or_else(PoisonError::into_inner);
        let lag = since.map_or(Duration::ZERO, |since| now.saturating_since(since));
        self.labels.measure(Gauge::LagSeconds, lag.as_secs_f64());
    }

    /// Tells that this process leads the shard, until what is returned is dropped.
    pub(super) fn leads(self: &Arc<Self>) -> Leads {
        self.labels.measure(Gauge::Leads, 1.0);
        Leads(Arc::clone(self))
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

/// While this is there, the process leads the shard.
pub(super) struct Leads(Arc<Meter>);

impl Drop for Leads {
    fn drop(&mut self) {
        self.0.labels.measure(Gauge::Leads, 0.0);
    }
}
