//! Who waits for events: woken by our own commits, and by a look at the file now and
//! then for those of other processes.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ermine_core::{Error, ErrorKind, Position, Result};
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::tables::mark;
use crate::connection::open_reader;
use crate::error::{closed, copy, storage};
use crate::sqlite::Location;

/// How long after a change the file is looked at again.
const SOON: Duration = Duration::from_millis(5);

/// How long at most between two looks while nothing changes and somebody waits.
const RARELY: Duration = Duration::from_millis(250);

/// Those who wait, and the thread that looks for them. It is started by the first, and
/// rests while nobody waits.
pub(crate) struct Watch {
    shared: Arc<Shared>,
    location: Arc<Location>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: Vec<Waiting>,
    /// A position that is known to be given out.
    mark: Position,
    closed: bool,
}

struct Waiting {
    after: Position,
    /// `None` is never.
    until: Option<Instant>,
    reply: oneshot::Sender<Result<()>>,
}

impl Watch {
    pub(crate) fn new(location: Arc<Location>) -> Self {
        Self {
            shared: Arc::default(),
            location,
            thread: Mutex::default(),
        }
    }

    /// Wakes those who wait for events up to `position`, which are committed.
    pub(crate) fn reached(&self) -> Reached {
        Reached(Arc::clone(&self.shared))
    }

    /// Returns once there are events after `after`, or after `at_most`.
    pub(crate) async fn wait(&self, after: Position, at_most: Duration) -> Result<()> {
        let (reply, answer) = oneshot::channel();
        {
            let mut state = self.shared.lock();
            if state.mark > after {
                return Ok(());
            }
            state.waiting.push(Waiting {
                after,
                until: Instant::now().checked_add(at_most),
                reply,
            });
        }
        self.start()?;
        self.shared.changed.notify_all();
        answer.await.unwrap_or_else(|_| Err(closed()))
    }

    fn start(&self) -> Result<()> {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        if thread.as_ref().is_none_or(JoinHandle::is_finished) {
            let (shared, location) = (Arc::clone(&self.shared), Arc::clone(&self.location));
            let started = std::thread::Builder::new()
                .name("ermine-sqlite-watch".into())
                .spawn(move || watch(&shared, &location));
            *thread = Some(started.map_err(|e| {
                Error::new(ErrorKind::Storage, "a thread that waits cannot be started")
                    .with_source(e)
            })?);
        }
        Ok(())
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.changed.notify_all();
        let thread = self.thread.get_mut();
        if let Some(thread) = thread.unwrap_or_else(PoisonError::into_inner).take() {
            // A thread that panicked has said so itself.
            let _ = thread.join();
        }
    }
}

/// Where the writer tells how far committed events go.
pub(crate) struct Reached(Arc<Shared>);

impl Reached {
    pub(crate) fn tell(&self, position: Position) {
        self.0.lock().reached(position);
        self.0.changed.notify_all();
    }
}

impl Shared {
    /// A thread that panicked while it held the lock left a state that is whole.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn reached(&mut self, position: Position) {
        self.mark = self.mark.max(position);
    }

    /// Answers those whose wait is over, and forgets those who went away.
    fn settle(&mut self, now: Instant) {
        let mark = self.mark;
        let is_over = |waiting: &mut Waiting| {
            mark > waiting.after
                || waiting.until.is_some_and(|until| until <= now)
                || waiting.reply.is_closed()
        };
        for over in self.waiting.extract_if(.., is_over) {
            // Whoever asked may have gone.
            let _ = over.reply.send(Ok(()));
        }
    }

    fn fail(&mut self, error: &Error) {
        for waiting in self.waiting.drain(..) {
            let _ = waiting.reply.send(Err(copy(error)));
        }
    }

    fn next_deadline(&self) -> Option<Instant> {
        self.waiting.iter().filter_map(|one| one.until).min()
    }
}

fn watch(shared: &Shared, location: &Location) {
    let mut look = Look::default();
    let mut pause = SOON;
    let mut state = shared.lock();
    loop {
        state.settle(Instant::now());
        while state.waiting.is_empty() && !state.closed {
            let woken = shared.changed.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
            state.settle(Instant::now());
        }
        if state.closed {
            // Dropped, the others' replies say that the store is closed.
            state.waiting.clear();
            return;
        }
        drop(state);
        let looked = look.again(location);
        if looked.is_err() {
            look = Look::default();
        }
        state = shared.lock();
        match looked {
            Ok(Some(position)) => {
                state.reached(position);
                pause = SOON;
            }
            Ok(None) => {}
            Err(error) => state.fail(&error),
        }
        let now = Instant::now();
        state.settle(now);
        if state.waiting.is_empty() || state.closed {
            continue;
        }
        let left = state.next_deadline().map(|at| at.duration_since(now));
        let rest = left.map_or(pause, |left| left.min(pause));
        let woken = shared.changed.wait_timeout(state, rest);
        let (again, timeout) = woken.unwrap_or_else(PoisonError::into_inner);
        state = again;
        if timeout.timed_out() {
            pause = (pause * 2).min(RARELY);
        }
    }
}

/// The connection that looks, and what it saw last.
#[derive(Default)]
struct Look {
    connection: Option<Connection>,
    version: Option<i64>,
}

impl Look {
    /// How far events go, if anybody committed anything since the last look.
    fn again(&mut self, location: &Location) -> Result<Option<Position>> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            none => none.insert(open_reader(location)?),
        };
        let version: i64 = connection
            .prepare_cached("PRAGMA data_version")
            .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
            .map_err(storage("looking for new events"))?;
        if self.version == Some(version) {
            return Ok(None);
        }
        let mark = mark(connection)?;
        self.version = Some(version);
        Ok(Some(mark))
    }
}
