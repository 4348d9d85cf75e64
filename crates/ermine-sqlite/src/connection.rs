//! Connections, set up as this store needs them.

use std::time::{Duration, Instant};

use ermine_core::{Error, ErrorKind, Result};
use rusqlite::{Connection, OpenFlags};

use crate::error::storage;
use crate::sqlite::Location;

/// How long one attempt waits for a lock; several make up the time a caller allows.
const ONE_WAIT: Duration = Duration::from_millis(500);

/// The connection that writes. There is one, on a thread of its own.
pub(crate) fn open_writer(location: &Location) -> Result<Connection> {
    let opening = format!("opening {}", location.path().display());
    let connection = open(
        location,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
    )?;
    let mode: String = connection
        .query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))
        .map_err(storage(&opening))?;
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
        .map_err(storage(&opening))?;
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
    let opening = format!("opening {}", location.path().display());
    let connection =
        Connection::open_with_flags(location.path(), flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
            .map_err(storage(&opening))?;
    connection
        .busy_timeout(ONE_WAIT)
        .map_err(storage(&opening))?;
    connection.set_prepared_statement_cache_capacity(512);
    connection
        .execute_batch("PRAGMA temp_store = MEMORY")
        .map_err(storage(&opening))?;
    Ok(connection)
}

/// Begins a transaction that writes, which is where another writer is met: later
/// statements find no lock to wait for.
pub(crate) fn begin(connection: &Connection, at_most: Duration) -> Result<()> {
    let until = Instant::now() + at_most;
    loop {
        match connection
            .execute_batch("BEGIN IMMEDIATE")
            .map_err(storage("beginning to write"))
        {
            Err(error) if error.kind() == ErrorKind::Busy && Instant::now() < until => {}
            begun => return begun,
        }
    }
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
