//! A store whose n-th call goes wrong.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use ermine_core::{
    Answer, Capabilities, Committed, Declaration, Engine, Error, ErrorKind, EventFilter, EventPage,
    EventStorage, LeaseOp, LeaseState, Position, Read, Result, SchemaMode, SchemaReport, Storage,
    Unit,
};

/// What the call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::facts) enum Fault {
    /// It fails, and nothing is done.
    FailsBefore,
    /// It is done, and the answer is lost.
    FailsAfter,
    /// Its process dies before it.
    DiesBefore,
    /// Its process dies after it.
    DiesAfter,
}

/// Every way in which a call goes wrong.
pub(in crate::facts) const FAULTS: [Fault; 4] = [
    Fault::FailsBefore,
    Fault::FailsAfter,
    Fault::DiesBefore,
    Fault::DiesAfter,
];

/// Which calls are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::facts) enum Calls {
    All,
    /// Those that take, renew or give up a lease.
    OfLeases,
}

/// A store that counts the calls of a daemon, and does as it is told in one of them.
pub(in crate::facts) struct Faulty {
    inner: Engine,
    fault: Fault,
    /// How many calls go right before; 0 and below is the one that goes wrong.
    left: AtomicUsize,
    armed: AtomicBool,
    counts_only_leases: AtomicBool,
    dead: AtomicBool,
}

impl Faulty {
    /// The store, and its engine.
    pub(in crate::facts) fn over(inner: Engine, fault: Fault, after: usize) -> (Arc<Self>, Engine) {
        let faulty = Arc::new(Self {
            inner: inner.clone(),
            fault,
            left: AtomicUsize::new(after),
            armed: AtomicBool::new(false),
            counts_only_leases: AtomicBool::new(false),
            dead: AtomicBool::new(false),
        });
        let searches = Arc::new(inner);
        let engine = Engine::new(faulty.clone())
            .with_events(faulty.clone())
            .with_vector_search(searches.clone())
            .with_text_search(searches.clone())
            .with_hybrid_search(searches);
        (faulty, engine)
    }

    /// Counts from here on.
    pub(in crate::facts) fn arm(&self, calls: Calls) {
        let only_leases = calls == Calls::OfLeases;
        self.counts_only_leases.store(only_leases, Ordering::SeqCst);
        self.armed.store(true, Ordering::SeqCst);
    }

    /// Whether the call came.
    pub(in crate::facts) fn went_wrong(&self) -> bool {
        !self.armed.load(Ordering::SeqCst)
    }

    /// Whether its process died of it.
    pub(in crate::facts) fn is_dead(&self) -> bool {
        self.dead.load(Ordering::SeqCst)
    }

    async fn call<T>(&self, call: impl Future<Output = Result<T>>) -> Result<T> {
        let counts = !self.counts_only_leases.load(Ordering::SeqCst);
        self.counted(counts, call).await
    }

    async fn counted<T>(&self, counts: bool, call: impl Future<Output = Result<T>>) -> Result<T> {
        if self.is_dead() {
            pending::<()>().await;
        }
        let is_now = counts
            && self.armed.load(Ordering::SeqCst)
            && self.left.fetch_sub(1, Ordering::SeqCst) == 0;
        if !is_now {
            return call.await;
        }
        self.armed.store(false, Ordering::SeqCst);
        let failed = |kind| Err(Error::new(kind, "the disk is on fire"));
        match self.fault {
            Fault::FailsBefore => failed(ErrorKind::Storage),
            Fault::FailsAfter => {
                let _ = call.await;
                failed(ErrorKind::OutcomeUnknown)
            }
            Fault::DiesBefore => {
                self.dead.store(true, Ordering::SeqCst);
                pending().await
            }
            Fault::DiesAfter => {
                let _ = call.await;
                self.dead.store(true, Ordering::SeqCst);
                pending().await
            }
        }
    }
}

impl Storage for Faulty {
    fn capabilities(&self) -> &Capabilities {
        self.inner.capabilities()
    }

    async fn ensure(&self, declaration: &Declaration, mode: SchemaMode) -> Result<SchemaReport> {
        self.inner.ensure(declaration, mode).await
    }

    async fn declarations(&self) -> Result<Vec<Declaration>> {
        self.inner.declarations().await
    }

    async fn read(&self, reads: &[Read]) -> Result<Vec<Answer>> {
        self.call(self.inner.read(reads)).await
    }

    async fn commit(&self, unit: &Unit) -> Result<Committed> {
        self.call(self.inner.commit(unit)).await
    }
}

impl EventStorage for Faulty {
    async fn events(
        &self,
        after: Position,
        filter: &EventFilter,
        limit: usize,
    ) -> Result<EventPage> {
        self.call(self.inner.events(after, filter, limit)).await
    }

    async fn lease(&self, op: &LeaseOp) -> Result<LeaseState> {
        self.counted(true, self.inner.lease(op)).await
    }

    async fn wait(&self, after: Position, at_most: Duration) -> Result<()> {
        self.inner.wait(after, at_most).await
    }
}
