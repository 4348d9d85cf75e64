//! The tables of events. Times are microseconds since 1970.

use std::fmt;
use std::time::Duration;

use ermine_core::{Error, ErrorKind, Position, Result};
use rusqlite::Connection;

use crate::connection::in_transaction;
use crate::error::storage;

/// `AUTOINCREMENT` never gives a position twice, also where the last event was
/// removed; with one writer at a time the order of positions is that of commits (rule E5).
pub(crate) const CREATE: &str = r#"
CREATE TABLE ermine_streams (
  stream INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('uuid', 'text')),
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  archived INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  UNIQUE (tenant, id, kind)
);
CREATE TABLE ermine_events (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  stream INTEGER NOT NULL,
  version INTEGER NOT NULL,
  id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  correlation TEXT,
  causation TEXT,
  headers TEXT,
  data TEXT NOT NULL,
  archived INTEGER NOT NULL DEFAULT 0,
  UNIQUE (stream, version)
);
CREATE INDEX "ermine_events.type" ON ermine_events (type) WHERE archived = 0;
CREATE TABLE ermine_shards (
  shard TEXT PRIMARY KEY,
  position INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  holder TEXT,
  expires INTEGER,
  paused TEXT,
  rebuilding INTEGER
) WITHOUT ROWID;
CREATE TABLE ermine_parked (
  shard TEXT NOT NULL,
  position INTEGER NOT NULL,
  tenant TEXT NOT NULL,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (shard, position)
) WITHOUT ROWID;
"#;

const MARK: &str = "SELECT seq FROM sqlite_sequence WHERE name = 'ermine_events'";

/// Adds the tables to a store that an earlier version made.
pub(crate) fn prepare(connection: &Connection, at_most: Duration) -> Result<()> {
    if are_there(connection)? {
        return Ok(());
    }
    in_transaction(connection, at_most, create_missing)
}

/// Adds the tables where they are missing, in the transaction that is open.
pub(crate) fn create_missing(connection: &Connection) -> Result<()> {
    if are_there(connection)? {
        return Ok(());
    }
    connection
        .execute_batch(CREATE)
        .map_err(storage("creating the tables of events"))
}

fn are_there(connection: &Connection) -> Result<bool> {
    connection
        .prepare_cached(
            "SELECT count(*) > 0 FROM sqlite_master WHERE type = 'table' AND name = 'ermine_events'",
        )
        .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
        .map_err(storage("looking for the tables of events"))
}

/// The last position that was given out: in a snapshot, no event at or before it will
/// ever appear.
pub(super) fn mark(connection: &Connection) -> Result<Position> {
    let read = || {
        let mut statement = connection.prepare_cached(MARK)?;
        let mut rows = statement.query([])?;
        match rows.next()? {
            Some(row) => row.get::<_, i64>(0),
            None => Ok(0),
        }
    };
    read()
        .map(|mark| Position::at(mark.cast_unsigned()))
        .map_err(storage("reading how far events go"))
}

/// As [`storage`], but a file from before there were events is named as one.
pub(super) fn failed(doing: impl fmt::Display) -> impl Fn(rusqlite::Error) -> Error {
    let failed = storage(doing);
    move |error| {
        let is_older = error.to_string().contains("no such table: ermine_");
        let error = failed(error);
        if is_older {
            return Error::new(
                ErrorKind::SchemaMismatch,
                "the database was made by a version of Ermine without events and has no tables for them; open it with `Sqlite::file`, or open a document type in a schema mode that may create, and they are added",
            )
            .with_source(error);
        }
        error
    }
}
