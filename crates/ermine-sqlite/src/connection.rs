//! Connections, set up as this store needs them.

use std::fmt;
use std::time::{Duration, Instant};

use ermine_core::{Error, ErrorKind, Result};
use rusqlite::{Connection, OpenFlags};

use crate::catalog;
use crate::error::storage;
use crate::sqlite::{Location, Making, Settings};

/// How long one attempt waits for a lock; several make up the time a caller allows.
const ONE_WAIT: Duration = Duration::from_millis(500);

/// The connection that writes. There is one, on a thread of its own.
pub(crate) fn open_writer(location: &Location, settings: &Settings) -> Result<Connection> {
    let opening = Opening(location);
    let connection = match location.making() {
        Making::IfMissing => open(
            location,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
        )?,
        Making::Never => {
            let connection = open(location, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
            if !catalog::is_prepared(&connection)? {
                return Err(Error::new(
                    ErrorKind::Storage,
                    format!(
                        "{opening}: the database holds no Ermine store; check the path, or store something in it first"
                    ),
                ));
            }
            connection
        }
    };
    // Becoming WAL wants every lock, and does not wait for them by itself.
    let mode: String = while_busy(&connection, settings.busy_timeout, || {
        connection
            .query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))
            .map_err(storage(opening))
    })?;
    if !mode.eq_ignore_ascii_case("wal") {
        return Err(Error::new(
            ErrorKind::Storage,
            format!(
                "{opening}: the journal mode is {mode} and cannot become WAL; use a local file system"
            ),
        ));
    }
    let synchronous = if location.is_temporary() {
        "OFF"
    } else {
        "FULL"
    };
    connection
        .execute_batch(&format!(
            "PRAGMA synchronous = {synchronous};
             PRAGMA journal_size_limit = 67108864;
             PRAGMA cache_size = -32768;"
        ))
        .map_err(storage(opening))?;
    if let Some(bytes) = settings.max_bytes {
        let limit = || {
            let page: i64 = connection.query_row("PRAGMA page_size", [], |row| row.get(0))?;
            let pages = i64::try_from(bytes).unwrap_or(i64::MAX) / page.max(1);
            let pages = pages.clamp(1, i64::from(u32::MAX - 1));
            let sql = format!("PRAGMA max_page_count = {pages}");
            connection.query_row(&sql, [], |_| Ok(()))
        };
        limit().map_err(storage(opening))?;
    }
    Ok(connection)
}

/// A connection that only reads.
pub(crate) fn open_reader(location: &Location) -> Result<Connection> {
    let connection = open(location, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection
        .execute_batch("PRAGMA query_only = ON; PRAGMA cache_size = -8192;")
        .map_err(storage("opening a connection that reads"))?;
    Ok(connection)
}

fn open(location: &Location, flags: OpenFlags) -> Result<Connection> {
    let opening = Opening(location);
    let connection =
        Connection::open_with_flags(location.path(), flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
            .map_err(storage(opening))?;
    connection
        .busy_timeout(ONE_WAIT)
        .map_err(storage(opening))?;
    connection.set_prepared_statement_cache_capacity(512);
    connection
        .execute_batch("PRAGMA temp_store = MEMORY")
        .map_err(storage(opening))?;
    Ok(connection)
}

/// The file that is opened, for messages.
#[derive(Clone, Copy)]
struct Opening<'a>(&'a Location);

impl fmt::Display for Opening<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "opening {}", self.0.path().display())
    }
}

/// Tries again while another connection holds the lock, for a while.
fn while_busy<T>(
    connection: &Connection,
    at_most: Duration,
    mut attempt: impl FnMut() -> Result<T>,
) -> Result<T> {
    let begun = Instant::now();
    loop {
        connection
            .busy_timeout(next_wait(at_most, begun.elapsed()))
            .map_err(storage("waiting for a lock"))?;
        match attempt() {
            Err(error) if error.kind() == ErrorKind::Busy && begun.elapsed() < at_most => {
                std::thread::sleep(Duration::from_millis(1));
            }
            done => return done,
        }
    }
}

/// How long the next attempt waits: no longer than is left.
fn next_wait(at_most: Duration, waited: Duration) -> Duration {
    at_most.saturating_sub(waited).min(ONE_WAIT)
}

/// Begins a transaction that writes, which is where another writer is met: later
/// statements find no lock to wait for.
pub(crate) fn begin(connection: &Connection, at_most: Duration) -> Result<()> {
    while_busy(connection, at_most, || {
        connection
            .execute_batch("BEGIN IMMEDIATE")
            .map_err(storage("beginning to write"))
    })
}

/// Runs `work` in a transaction of its own: all of it, or nothing.
pub(crate) fn in_transaction<T>(
    connection: &Connection,
    at_most: Duration,
    work: impl FnOnce(&Connection) -> Result<T>,
) -> Result<T> {
    begin(connection, at_most)?;
    let done = work(connection).and_then(|done| {
        connection
            .execute_batch("COMMIT")
            .map_err(storage("committing"))?;
        Ok(done)
    });
    if done.is_err() && !connection.is_autocommit() {
        // The error of the work is the one to tell; a transaction that cannot be
        // rolled back is rolled back with its connection.
        let _ = connection.execute_batch("ROLLBACK");
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_attempt_waits_longer_than_the_caller_allows() {
        let waits = |at_most, waited| {
            let ms = Duration::from_millis;
            next_wait(ms(at_most), ms(waited)).as_millis()
        };
        assert_eq!(waits(0, 0), 0);
        assert_eq!(waits(100, 0), 100);
        assert_eq!(waits(700, 0), 500);
        assert_eq!(waits(700, 500), 200);
        assert_eq!(waits(700, 701), 0);
    }
}
