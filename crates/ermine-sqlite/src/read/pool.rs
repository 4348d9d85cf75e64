//! Connections that read, each on a thread of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use ermine_core::{Error, ErrorKind, Result};
use rusqlite::Connection;
use tokio::sync::{Semaphore, oneshot};

use crate::connection::open_reader;
use crate::error::{closed, panicked, storage};
use crate::sqlite::Location;

/// How many instructions of SQLite's machine run between two looks at whether the
/// caller still waits.
const BETWEEN_LOOKS: i32 = 4_096;

/// How many calls may wait for each connection; more wait where they are.
const QUEUED: usize = 16;

type Job = Box<dyn FnOnce(Result<&mut Connection>) + Send>;

/// The pool. Dropping it finishes what runs and closes the connections.
pub(crate) struct Readers {
    jobs: Option<Sender<Job>>,
    slots: Semaphore,
    threads: Vec<JoinHandle<()>>,
}

impl Readers {
    /// Starts `count` threads. A thread opens its connection with its first call.
    pub(crate) fn start(location: &Arc<Location>, count: usize) -> Result<Self> {
        let (jobs, queue) = channel();
        let queue = Arc::new(Mutex::new(queue));
        let mut readers = Self {
            jobs: Some(jobs),
            slots: Semaphore::new(count * QUEUED),
            threads: Vec::with_capacity(count),
        };
        for _ in 0..count {
            let (queue, location) = (Arc::clone(&queue), Arc::clone(location));
            let thread = std::thread::Builder::new()
                .name("ermine-sqlite-reader".into())
                .spawn(move || serve(&queue, &location))
                .map_err(|e| {
                    Error::new(ErrorKind::Storage, "a thread that reads cannot be started")
                        .with_source(e)
                })?;
            readers.threads.push(thread);
        }
        Ok(readers)
    }

    /// Runs `work` on one of the connections: one hop to a thread and back.
    ///
    /// Dropping the future withdraws work that has not begun, and interrupts the
    /// statement of work that has.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.run_watched(|connection, _| work(connection)).await
    }

    /// Runs `work` that looks itself, between statements, whether the caller still waits.
    pub(crate) async fn run_watched<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection, &Watch) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let _slot = self.slots.acquire().await.map_err(|_| closed())?;
        let (reply, answer) = oneshot::channel();
        let given_up = GivenUp::default();
        let watch = Watch(Arc::clone(&given_up.0));
        let job: Job = Box::new(move |connection| {
            if !watch.is_given_up() {
                // Whoever asked may have gone.
                let _ = reply.send(connection.and_then(|c| watched(c, watch, work)));
            }
        });
        let jobs = self.jobs.as_ref().ok_or_else(closed)?;
        jobs.send(job).map_err(|_| closed())?;
        answer.await.unwrap_or_else(|_| Err(closed()))
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        self.jobs = None;
        for thread in self.threads.drain(..) {
            // A thread that panicked has said so itself.
            let _ = thread.join();
        }
    }
}

/// Set when the caller's future is dropped.
#[derive(Default)]
struct GivenUp(Arc<AtomicBool>);

impl Drop for GivenUp {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Tells whether the caller still waits.
#[derive(Debug, Clone, Default)]
pub(crate) struct Watch(Arc<AtomicBool>);

impl Watch {
    pub(crate) fn is_given_up(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// What work is ended with that nobody waits for.
    pub(crate) fn interrupted() -> Error {
        Error::new(ErrorKind::Timeout, "the call was interrupted")
    }

    #[cfg(test)]
    pub(crate) fn given_up() -> Self {
        Self(Arc::new(AtomicBool::new(true)))
    }
}

fn watched<T>(
    connection: &mut Connection,
    watch: Watch,
    work: impl FnOnce(&mut Connection, &Watch) -> Result<T>,
) -> Result<T> {
    let looking = watch.clone();
    connection
        .progress_handler(BETWEEN_LOOKS, Some(move || looking.is_given_up()))
        .map_err(storage("beginning to read"))?;
    // A snapshot ends by being dropped, also by a panic.
    catch_unwind(AssertUnwindSafe(|| work(connection, &watch)))
        .unwrap_or_else(|panic| Err(panicked("reading", &*panic)))
}

fn serve(queue: &Mutex<Receiver<Job>>, location: &Location) {
    let mut connection = None;
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        job(opened(&mut connection, location));
    }
}

fn opened<'c>(
    connection: &'c mut Option<Connection>,
    location: &Location,
) -> Result<&'c mut Connection> {
    match connection {
        Some(connection) => Ok(connection),
        none => Ok(none.insert(open_reader(location)?)),
    }
}
