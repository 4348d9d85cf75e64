//! Writing events, inside a unit's savepoint.

use ermine_core::{
    Append, Error, ErrorKind, Mask, NewEvent, Position, Result, StreamId, TenantId, Timestamp,
};
use ermine_sql::events::{integer, position, stored_stream};
use rusqlite::Connection;

use super::streams::{Found, find};
use super::tables::failed;
use crate::bind::tenant_text;
use crate::error::corrupt;

const OPEN: &str = "INSERT INTO ermine_streams (tenant, kind, id, version, created, updated)
 VALUES (?1, ?2, ?3, ?4, ?5, ?5)";

pub(super) const MOVE: &str =
    "UPDATE ermine_streams SET version = ?2, updated = ?3 WHERE stream = ?1";

const INSERT: &str = "INSERT INTO ermine_events
 (stream, version, id, type, at, correlation, causation, headers, data)
 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";

pub(super) const CLOSE: &str = "UPDATE ermine_streams SET archived = 1 WHERE stream = ?1";

pub(super) const HIDE: &str = "UPDATE ermine_events SET archived = 1 WHERE stream = ?1";

pub(super) const REMOVE: &str = "DELETE FROM ermine_events WHERE stream = ?1";

pub(super) const MASK: &str =
    "UPDATE ermine_events SET data = ?3 WHERE stream = ?1 AND version = ?2";

/// Extended code of a value that is there already where it must be unique.
const NOT_UNIQUE: i32 = 2067;

/// Appends events, where the stream is as expected (rule E1); the last one's position.
pub(crate) fn append(connection: &Connection, append: &Append) -> Result<Option<Position>> {
    let found = find(connection, append.tenant.as_ref(), &append.stream)?;
    let before = append.judge(found.as_ref().map(|found| &found.state))?;
    if append.events.is_empty() {
        return Ok(None);
    }
    let now = Timestamp::now().unix_micros();
    let last = integer(before + append.events.len() as u64);
    let stream = match found {
        Some(Found { stream, .. }) => {
            execute(connection, MOVE, (stream, last, now))?;
            stream
        }
        None => {
            let (kind, id) = stored_stream(&append.stream);
            let tenant = tenant_text(append.tenant.as_ref());
            execute(connection, OPEN, (tenant, kind, id, last, now))?;
            connection.last_insert_rowid()
        }
    };
    for (version, event) in (integer(before) + 1..).zip(&append.events) {
        insert(connection, append, stream, version, event)?;
    }
    Ok(Some(position(connection.last_insert_rowid())))
}

fn insert(
    connection: &Connection,
    append: &Append,
    stream: i64,
    version: i64,
    event: &NewEvent,
) -> Result<()> {
    let headers = (!event.headers.is_empty()).then(|| serde_json::to_string(&event.headers));
    let headers = headers.transpose().map_err(|e| {
        corrupt("the headers of an event cannot be written as JSON".to_owned()).with_source(e)
    })?;
    let id = event.id.hyphenated().to_string();
    let execute = || {
        connection.prepare_cached(INSERT)?.execute((
            stream,
            version,
            &id,
            &event.event_type,
            event.at.unix_micros(),
            &event.correlation,
            &event.causation,
            headers,
            &event.data,
        ))
    };
    execute().map(drop).map_err(|error| {
        let is_known = error
            .sqlite_error()
            .is_some_and(|error| error.extended_code == NOT_UNIQUE);
        if is_known {
            return Error::new(
                ErrorKind::AlreadyExists,
                format!(
                    "an event with the id {id} exists already; it was to be event {version} of stream {}",
                    append.stream
                ),
            )
            .with_source(error);
        }
        failed(format_args!("appending to stream {}", append.stream))(error)
    })
}

/// Takes a stream out of what readers of all events see, and closes it.
pub(crate) fn archive(
    connection: &Connection,
    tenant: Option<&TenantId>,
    stream: &StreamId,
) -> Result<()> {
    let Some(Found { stream, .. }) = find(connection, tenant, stream)? else {
        return Ok(());
    };
    execute(connection, CLOSE, [stream])?;
    execute(connection, HIDE, [stream]).map(drop)
}

/// Removes a stream's events, and closes it.
pub(crate) fn tombstone(
    connection: &Connection,
    tenant: Option<&TenantId>,
    stream: &StreamId,
) -> Result<()> {
    let Some(Found { stream, .. }) = find(connection, tenant, stream)? else {
        return Ok(());
    };
    execute(connection, CLOSE, [stream])?;
    execute(connection, REMOVE, [stream]).map(drop)
}

/// Replaces the data of events.
pub(crate) fn mask(connection: &Connection, mask: &Mask) -> Result<()> {
    let found = find(connection, mask.tenant.as_ref(), &mask.stream)?;
    for (version, data) in &mask.data {
        let masked = match &found {
            Some(found) => execute(connection, MASK, (found.stream, integer(*version), data))?,
            None => 0,
        };
        if masked == 0 {
            return Err(Error::new(
                ErrorKind::Missing,
                format!("stream {} has no event {version} to mask", mask.stream),
            ));
        }
    }
    Ok(())
}

fn execute(connection: &Connection, sql: &str, values: impl rusqlite::Params) -> Result<usize> {
    connection
        .prepare_cached(sql)
        .and_then(|mut statement| statement.execute(values))
        .map_err(failed("writing events"))
}
