//! Reading streams.

use ermine_core::{Result, StoredEvent, StreamId, StreamRange, StreamState, TenantId};
use ermine_sql::events::{FROM, SELECT, integer, stored_stream, timestamp};
use rusqlite::{Connection, OptionalExtension};

use super::row::event;
use super::tables::failed;
use crate::bind::tenant_text;

pub(super) const FIND: &str = "SELECT stream, version, archived, created, updated
 FROM ermine_streams WHERE tenant = ?1 AND id = ?3 AND kind = ?2";

/// The first version that happened after a time.
pub(super) const LATER: &str =
    "SELECT version FROM ermine_events WHERE stream = ?1 AND at > ?2 ORDER BY version LIMIT 1";

pub(super) fn range_sql() -> String {
    format!(
        "{SELECT} {FROM} WHERE e.stream = ?1 AND e.version >= ?2 AND e.version <= ?3 ORDER BY e.version LIMIT ?4"
    )
}

/// A stream with its number.
pub(super) struct Found {
    pub(super) stream: i64,
    pub(super) state: StreamState,
}

pub(super) fn find(
    connection: &Connection,
    tenant: Option<&TenantId>,
    stream: &StreamId,
) -> Result<Option<Found>> {
    let (kind, id) = stored_stream(stream);
    let row: Option<(i64, i64, bool, i64, i64)> = connection
        .prepare_cached(FIND)
        .and_then(|mut statement| {
            statement
                .query_row((tenant_text(tenant), kind, id), |row| row.try_into())
                .optional()
        })
        .map_err(failed("finding a stream"))?;
    let Some((stream, version, archived, created, updated)) = row else {
        return Ok(None);
    };
    let state = StreamState {
        version: version.cast_unsigned(),
        archived,
        created: timestamp(created)?,
        updated: timestamp(updated)?,
    };
    Ok(Some(Found { stream, state }))
}

/// What is known about a stream.
pub(crate) fn state(
    connection: &Connection,
    tenant: Option<&TenantId>,
    stream: &StreamId,
) -> Result<Option<StreamState>> {
    Ok(find(connection, tenant, stream)?.map(|found| found.state))
}

/// A stream's events.
pub(crate) fn stream(
    connection: &Connection,
    range: &StreamRange,
    limit: usize,
) -> Result<Vec<StoredEvent>> {
    let reading = || failed("reading a stream");
    let Some(Found { stream, .. }) = find(connection, range.tenant.as_ref(), &range.stream)? else {
        return Ok(Vec::new());
    };
    let mut to = range.to.map_or(i64::MAX, integer);
    if let Some(until) = range.until {
        let later: Option<i64> = connection
            .prepare_cached(LATER)
            .and_then(|mut statement| {
                statement
                    .query_row((stream, until.unix_micros()), |row| row.get(0))
                    .optional()
            })
            .map_err(reading())?;
        to = later.map_or(to, |later| to.min(later - 1));
    }
    let mut statement = connection.prepare_cached(&range_sql()).map_err(reading())?;
    let mut rows = statement
        .query((stream, integer(range.from), to, integer(limit as u64)))
        .map_err(reading())?;
    let mut events = Vec::new();
    while let Some(row) = rows.next().map_err(reading())? {
        events.push(event(row)?);
    }
    Ok(events)
}
