//! Pages of all events, in their order (rule P2).

use ermine_core::{EventFilter, EventPage, Position, Result, StoredEvent};
use ermine_sql::events::{FROM, SELECT, integer};
use rusqlite::{Connection, Params};

use super::row::event;
use super::tables::{failed, mark};

/// The places of one type's events.
pub(super) const OF_TYPE: &str = "SELECT position FROM ermine_events
 WHERE type = ?1 AND position > ?2 AND position <= ?3 AND archived = 0 ORDER BY position LIMIT ?4";

pub(super) fn between_sql() -> String {
    format!(
        "{SELECT} {FROM} WHERE e.position > ?1 AND e.position <= ?2 AND e.archived = 0 ORDER BY e.position LIMIT ?3"
    )
}

pub(super) fn at_sql() -> String {
    format!("{SELECT} {FROM} WHERE e.position = ?1")
}

/// The events after a position that pass a filter, and how far that looked.
pub(crate) fn page(
    connection: &Connection,
    after: Position,
    filter: &EventFilter,
    limit: usize,
) -> Result<EventPage> {
    let mark = mark(connection)?;
    let end = filter.up_to.map_or(mark, |up_to| up_to.min(mark));
    let bounds = (
        integer(after.get()),
        integer(end.get()),
        integer(limit as u64),
    );
    let mut events = Vec::new();
    match &filter.types {
        None => read(connection, &between_sql(), bounds, &mut events)?,
        Some(types) => {
            let sql = at_sql();
            for position in places(connection, types, bounds, limit)? {
                read(connection, &sql, [position], &mut events)?;
            }
        }
    }
    let ceiling = match events.last() {
        Some(last) if events.len() >= limit => last.position,
        None if limit == 0 => after,
        _ => end.max(after),
    };
    Ok(EventPage {
        events,
        ceiling,
        mark,
        given: mark,
    })
}

/// The first places of events of any of the types. The index has each type's in their
/// order, so that none of them is sorted or read in vain beyond `limit`.
fn places(
    connection: &Connection,
    types: &[String],
    (after, end, most): (i64, i64, i64),
    limit: usize,
) -> Result<Vec<i64>> {
    let mut places = Vec::new();
    let mut of_type = || {
        let mut statement = connection.prepare_cached(OF_TYPE)?;
        for name in types {
            let found = statement.query_map((name, after, end, most), |row| row.get(0))?;
            for place in found {
                places.push(place?);
            }
        }
        Ok(())
    };
    of_type().map_err(failed("finding events by their types"))?;
    places.sort_unstable();
    // A type may be named twice.
    places.dedup();
    places.truncate(limit);
    Ok(places)
}

fn read(
    connection: &Connection,
    sql: &str,
    values: impl Params,
    events: &mut Vec<StoredEvent>,
) -> Result<()> {
    let failed = || failed("reading events");
    let mut statement = connection.prepare_cached(sql).map_err(failed())?;
    let mut rows = statement.query(values).map_err(failed())?;
    while let Some(row) = rows.next().map_err(failed())? {
        events.push(event(row)?);
    }
    Ok(())
}
