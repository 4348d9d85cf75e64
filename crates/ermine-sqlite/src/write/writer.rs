//! The thread that writes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;

use ermine_core::{
    Committed, Declaration, Error, ErrorKind, LeaseOp, LeaseState, Position, Result, SchemaMode,
    SchemaReport, TakenTicket, Token,
};
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::apply::{self, Changes};
use super::group::{self, ConnectionState};
use super::queue::{Alone, Queue, Taken, UnitWork};
use super::seal;
use crate::connection::{begin, in_transaction, open_writer};
use crate::error::{closed, copy};
use crate::events::Reached;
use crate::layout::Known;
use crate::sqlite::{Location, Making, Settings};
use crate::{catalog, ensure, events};

/// The handle of the writing thread. Dropping it writes what is queued, closes the
/// connection and waits for that.
pub(crate) struct Writer {
    queue: Arc<Queue>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Opens the database on a thread of its own, which then waits for work.
    pub(crate) async fn start(
        location: Arc<Location>,
        known: Arc<Known>,
        settings: Settings,
        reached: Reached,
    ) -> Result<Self> {
        let queue = Arc::new(Queue::default());
        let (opened, answer) = oneshot::channel();
        let work = Arc::clone(&queue);
        let thread = std::thread::Builder::new()
            .name("ermine-sqlite-writer".into())
            .spawn(move || {
                let open = || {
                    let connection = open_writer(&location, &settings)?;
                    catalog::prepare(&connection, settings.busy_timeout)?;
                    if location.making() == Making::IfMissing {
                        events::prepare(&connection, settings.busy_timeout)?;
                    }
                    Ok(connection)
                };
                let (connection, outcome) = match open() {
                    Ok(connection) => (Some(connection), Ok(())),
                    Err(error) => (None, Err(error)),
                };
                let waits = opened.send(outcome).is_ok();
                if let (Some(connection), true) = (connection, waits) {
                    let writing = Writing {
                        connection: Some(connection),
                        location,
                        known,
                        settings,
                        changes: Changes::new(),
                        reached,
                    };
                    writing.run(&work);
                }
            })
            .map_err(|e| {
                Error::new(
                    ErrorKind::Storage,
                    "the thread that writes cannot be started",
                )
                .with_source(e)
            })?;
        let writer = Self {
            queue,
            thread: Some(thread),
        };
        answer.await.unwrap_or_else(|_| Err(closed()))?;
        Ok(writer)
    }

    /// The queue in front of the thread.
    pub(crate) fn queue(&self) -> &Queue {
        &self.queue
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.queue.close();
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so itself, and has nothing left to close.
            let _ = thread.join();
        }
    }
}

/// The number of a unit's commit, and the position of its last event.
type Written = (u64, Option<Position>);

struct Writing {
    /// `None` after a failed COMMIT, until another is opened.
    connection: Option<Connection>,
    location: Arc<Location>,
    known: Arc<Known>,
    settings: Settings,
    changes: Changes,
    reached: Reached,
}

impl Writing {
    fn run(mut self, queue: &Queue) {
        while let Some(taken) = queue.take() {
            // A unit's own panic is caught with the unit. Any other is a mistake of
            // this store: whoever waits is told that it is closed, and the next work
            // gets a connection of its own.
            let done = catch_unwind(AssertUnwindSafe(|| self.work(taken)));
            if done.is_err() {
                self.connection = None;
            }
        }
        if let Some(connection) = self.connection.take() {
            // It only saves work later.
            let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        }
    }

    fn work(&mut self, taken: Taken) {
        match taken {
            // Whoever asked may have gone.
            Taken::Alone(Alone::Ensure {
                declaration,
                mode,
                reply,
            }) => {
                let report = self.ensure(&declaration, mode);
                let _ = reply.send(report);
            }
            Taken::Alone(Alone::Lease { op, reply }) => {
                let state = self.lease(&op);
                let _ = reply.send(state);
            }
            Taken::Units(units) => self.commit(units),
        }
    }

    fn connected(&mut self) -> Result<()> {
        if self.connection.is_none() {
            self.connection = Some(open_writer(&self.location, &self.settings)?);
        }
        Ok(())
    }

    fn connection(&self) -> Result<&Connection> {
        self.connection.as_ref().ok_or_else(closed)
    }

    fn ensure(&mut self, declaration: &Declaration, mode: SchemaMode) -> Result<SchemaReport> {
        self.connected()?;
        let connection = self.connection()?;
        let (layout, report) =
            in_transaction(connection, self.settings.busy_timeout, |connection| {
                ensure::ensure(connection, declaration, mode)
            })?;
        let tails = seal::tails(connection, &layout)?;
        self.changes.extend(tails);
        self.known.insert(layout);
        Ok(report)
    }

    fn lease(&mut self, op: &LeaseOp) -> Result<LeaseState> {
        self.connected()?;
        let connection = self.connection()?;
        in_transaction(connection, self.settings.busy_timeout, |connection| {
            events::lease(connection, op)
        })
    }

    fn commit(&mut self, units: Vec<UnitWork<TakenTicket>>) {
        let results = match self.connected() {
            Ok(()) => self.write(&units),
            Err(error) => units.iter().map(|_| Err(copy(&error))).collect(),
        };
        let last = results.iter().flatten().filter_map(|(_, last)| *last).max();
        last.into_iter().for_each(|last| self.reached.tell(last));
        for (unit, result) in units.into_iter().zip(results) {
            let committed = result.map(|(commit, last)| Committed {
                token: Token::at(commit).with_position(last),
            });
            unit.ticket.settle(committed);
            drop(unit.place);
        }
        if let Some(connection) = &self.connection {
            seal::tend(
                connection,
                &self.known,
                self.settings.busy_timeout,
                &mut self.changes,
            );
        }
    }

    fn write(&mut self, units: &[UnitWork<TakenTicket>]) -> Vec<Result<Written>> {
        let Some(connection) = &self.connection else {
            return units.iter().map(|_| Err(closed())).collect();
        };
        let (known, changes, busy_timeout) =
            (&self.known, &mut self.changes, self.settings.busy_timeout);
        let result = group::run(
            connection,
            units,
            &mut |connection| begin(connection, busy_timeout),
            &mut |connection, work| apply::unit(connection, known, &work.unit, changes),
        );
        if result.connection == ConnectionState::Doubtful {
            self.connection = None;
        }
        result.items
    }
}
