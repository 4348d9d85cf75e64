//! Commits whose futures are dropped: withdrawn, or remembered (rule D12).

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Waker};

use ermine_core::{
    Answer, Backend, Capabilities, Committed, Declaration, Engine, ErrorKind, Read, Result,
    SchemaMode, SchemaReport, Storage, TakenTicket, Ticket, Token, Unit,
};
use ermine_store::{Session, Store};

use crate::documents::Point;
use crate::spy::watched;
use crate::{refused, wait};

/// A store that does with a unit what the test says.
struct Held {
    inner: Engine,
    /// Tickets of units nobody took.
    waiting: Mutex<Vec<Ticket>>,
    /// Units that were taken, each with its ticket.
    taken: Mutex<Vec<(Unit, TakenTicket)>>,
    takes: AtomicBool,
}

impl Storage for Held {
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
        self.inner.read(reads).await
    }

    async fn commit(&self, unit: &Unit) -> Result<Committed> {
        self.inner.commit(unit).await
    }

    async fn submit(&self, unit: &Unit, ticket: Ticket) -> Result<()> {
        if self.takes.load(Ordering::Relaxed) {
            let taken = ticket.take().unwrap();
            self.taken.lock().unwrap().push((unit.clone(), taken));
        } else {
            self.waiting.lock().unwrap().push(ticket);
        }
        Ok(())
    }
}

impl Held {
    /// Writes what was taken.
    fn go_on(&self) {
        for (unit, ticket) in self.taken.lock().unwrap().drain(..) {
            ticket.settle(wait(self.inner.commit(&unit)));
        }
    }

    /// Forgets what was taken, as a connection that dies.
    fn die(&self) {
        self.taken.lock().unwrap().clear();
    }

    fn stop_taking(&self) {
        self.takes.store(false, Ordering::Relaxed);
    }
}

/// A store that takes units and writes none before it is told to.
fn held() -> (Arc<Held>, Store<Engine>) {
    let spy = watched().spy;
    let held = Arc::new(Held {
        inner: spy.engine(),
        waiting: Mutex::default(),
        taken: Mutex::default(),
        takes: AtomicBool::new(true),
    });
    let engine = Engine::new(held.clone()).with_vector_search(Arc::new(spy.engine()));
    let store = wait(Store::builder(engine).document::<Point>().open()).unwrap();
    (held, store)
}

/// Begins to commit, and gives up at once.
fn drop_a_commit<B: Backend>(session: &mut Session<B>) {
    let mut commit = pin!(session.commit());
    let mut context = Context::from_waker(Waker::noop());
    assert!(commit.as_mut().poll(&mut context).is_pending());
}

fn point(id: &str) -> Point {
    Point::new(id, [1.0, 2.0])
}

#[test]
fn a_commit_dropped_before_the_store_takes_it_is_withdrawn_and_kept() {
    let (held, store) = held();
    held.stop_taking();
    let mut session = store.session_without_tenant();
    session.insert(&point("p"));
    drop_a_commit(&mut session);
    assert!(held.waiting.lock().unwrap().pop().unwrap().take().is_none());
    assert_eq!(session.pending(), 1);
    held.takes.store(true, Ordering::Relaxed);
    session.insert(&point("q"));
    drop_a_commit(&mut session);
    assert_eq!(session.pending(), 0);
    held.go_on();
    wait(session.commit()).unwrap();
    assert_eq!(wait(session.query::<Point>()).unwrap().len(), 2);
}

#[test]
fn a_commit_dropped_while_the_store_writes_is_reported_by_the_next() {
    let (held, store) = held();
    let mut session = store.session_without_tenant();
    session.insert(&point("p"));
    drop_a_commit(&mut session);
    // Nobody knows yet, and nothing is lost by asking too early.
    drop_a_commit(&mut session);
    held.go_on();
    let token = wait(session.commit()).unwrap();
    assert!(token > Token::at(0));
    assert_eq!(wait(session.commit()).unwrap(), token);

    session.insert(&point("p"));
    drop_a_commit(&mut session);
    session.insert(&point("q"));
    assert_eq!(session.pending(), 1);
    held.go_on();
    refused(wait(session.commit()), ErrorKind::AlreadyExists);
    assert_eq!(session.pending(), 1, "what was recorded since is kept");
    drop_a_commit(&mut session);
    held.go_on();
    wait(session.commit()).unwrap();
    assert!(wait(session.load::<Point>("q")).unwrap().is_some());
}

#[test]
fn a_commit_dropped_while_the_store_writes_is_unknown_only_where_the_store_dies() {
    let (held, store) = held();
    let mut session = store.session_without_tenant();
    session.store(&point("p"));
    drop_a_commit(&mut session);
    session.store(&point("q"));
    held.die();
    refused(wait(session.commit()), ErrorKind::OutcomeUnknown);
    assert_eq!(session.pending(), 1, "what was recorded since is kept");
}

#[test]
fn what_is_discarded_after_a_dropped_commit_is_not_what_the_store_has() {
    let (held, store) = held();
    let mut session = store.session_without_tenant();
    session.store(&point("p"));
    drop_a_commit(&mut session);
    session.store(&point("q"));
    session.discard();
    session.store(&point("r"));
    held.go_on();
    held.stop_taking();
    drop_a_commit(&mut session);
    assert_eq!(session.pending(), 1);
    assert!(wait(session.load::<Point>("p")).unwrap().is_some());
}

#[test]
fn a_session_dropped_with_its_commit_withdraws_what_was_not_taken() {
    let (held, store) = held();
    held.stop_taking();
    let mut session = store.session_without_tenant();
    session.store(&point("p"));
    drop_a_commit(&mut session);
    drop(session);
    assert!(held.waiting.lock().unwrap().pop().unwrap().take().is_none());
}

/// A store that does not say when it takes a unit, and never ends.
struct Stuck(Engine);

impl Storage for Stuck {
    fn capabilities(&self) -> &Capabilities {
        self.0.capabilities()
    }

    async fn ensure(&self, declaration: &Declaration, mode: SchemaMode) -> Result<SchemaReport> {
        self.0.ensure(declaration, mode).await
    }

    async fn declarations(&self) -> Result<Vec<Declaration>> {
        self.0.declarations().await
    }

    async fn read(&self, reads: &[Read]) -> Result<Vec<Answer>> {
        self.0.read(reads).await
    }

    async fn commit(&self, _: &Unit) -> Result<Committed> {
        std::future::pending().await
    }
}

#[test]
fn a_commit_of_a_store_that_says_nothing_is_reported_once_as_unknown() {
    let stuck = Stuck(watched().spy.engine());
    let engine = Engine::new(Arc::new(stuck));
    let engine = engine.with_vector_search(Arc::new(watched().spy.engine()));
    let store = wait(Store::builder(engine).document::<Point>().open()).unwrap();
    let mut session = store.session_without_tenant();
    session.store(&Point::new("p", [1.0, 2.0]));
    drop_a_commit(&mut session);
    refused(wait(session.commit()), ErrorKind::OutcomeUnknown);
    assert_eq!(session.pending(), 0);
    assert_eq!(wait(session.commit()).unwrap(), Token::at(0));
}
