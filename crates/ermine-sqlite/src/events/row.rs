//! Events on their way out of rows.

use std::collections::BTreeMap;

use ermine_core::{NewEvent, Result, StoredEvent};
use ermine_sql::events::{position, stream, tenant, timestamp};
use rusqlite::Row;
use uuid::Uuid;

use crate::error::{corrupt, storage};

/// The event in a row that [`SELECT`](ermine_sql::events::SELECT) selects.
pub(super) fn event(row: &Row<'_>) -> Result<StoredEvent> {
    let at: i64 = get(row, 0)?;
    let damaged = |what: &str| corrupt(format!("the event at position {at} has a damaged {what}"));
    let kind: String = get(row, 2)?;
    let id: String = get(row, 3)?;
    let event_id: String = get(row, 5)?;
    let headers: Option<String> = get(row, 10)?;
    let headers = headers.map_or(Ok(BTreeMap::new()), |json| serde_json::from_str(&json));
    Ok(StoredEvent {
        tenant: tenant(get(row, 1)?)?,
        stream: stream(&kind, id).ok_or_else(|| damaged("stream"))?,
        version: get::<i64>(row, 4)?.cast_unsigned(),
        position: position(at),
        event: NewEvent {
            id: Uuid::try_parse(&event_id).map_err(|e| damaged("id").with_source(e))?,
            event_type: get(row, 6)?,
            at: timestamp(get(row, 7)?)?,
            correlation: get(row, 8)?,
            causation: get(row, 9)?,
            headers: headers.map_err(|e| damaged("set of headers").with_source(e))?,
            data: get(row, 11)?,
        },
    })
}

fn get<T: rusqlite::types::FromSql>(row: &Row<'_>, at: usize) -> Result<T> {
    row.get(at).map_err(storage("reading an event"))
}
