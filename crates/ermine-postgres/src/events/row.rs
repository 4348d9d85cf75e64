//! Streams and events on their way into and out of rows.

use std::collections::BTreeMap;

use ermine_core::{Id, NewEvent, Position, Result, StoredEvent, StreamId, TenantId, Timestamp};
use tokio_postgres::Row;
use tokio_postgres::types::FromSql;
use uuid::Uuid;

use crate::error::{corrupt, storage};

/// What an event is read from: it and its stream.
pub(super) const SELECT: &str = "\
SELECT e.position, s.tenant, s.kind, s.id, e.version, e.id, e.type, e.at, e.correlation, e.causation, e.headers, e.data
FROM ermine_events AS e JOIN ermine_streams AS s ON s.stream = e.stream";

/// A stream's id as it is stored: its kind, and its text.
pub(crate) fn stored_stream(stream: &StreamId) -> (&'static str, String) {
    match Id::from(stream.clone()) {
        Id::Uuid(id) => ("uuid", id.hyphenated().to_string()),
        other => ("text", other.to_string()),
    }
}

/// A number that is never negative, as PostgreSQL has it; none there can be larger.
pub(crate) fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn position(stored: i64) -> Position {
    Position::at(stored.cast_unsigned())
}

pub(crate) fn timestamp(micros: i64) -> Result<Timestamp> {
    Timestamp::from_unix_micros(micros)
        .map_err(|e| corrupt("a stored time of an event is none".to_owned()).with_source(e))
}

/// A tenant back from its stored form.
pub(super) fn tenant(text: String) -> Result<Option<TenantId>> {
    if text.is_empty() {
        return Ok(None);
    }
    TenantId::new(text)
        .map(Some)
        .map_err(|e| corrupt("a stored tenant of an event is none".to_owned()).with_source(e))
}

/// The event in a row that [`SELECT`] selects.
pub(super) fn event(row: &Row) -> Result<StoredEvent> {
    let at: i64 = get(row, 0)?;
    let damaged = |what: &str| corrupt(format!("the event at position {at} has a damaged {what}"));
    let kind: String = get(row, 2)?;
    let id: String = get(row, 3)?;
    let stream = match kind.as_str() {
        "uuid" => Uuid::try_parse(&id).ok().map(StreamId::from),
        _ => StreamId::text(id).ok(),
    };
    let headers: Option<String> = get(row, 10)?;
    let headers = headers.map_or(Ok(BTreeMap::new()), |json| serde_json::from_str(&json));
    Ok(StoredEvent {
        tenant: tenant(get(row, 1)?)?,
        stream: stream.ok_or_else(|| damaged("stream"))?,
        version: get::<i64>(row, 4)?.cast_unsigned(),
        position: position(at),
        event: NewEvent {
            id: get(row, 5)?,
            event_type: get(row, 6)?,
            at: timestamp(get(row, 7)?)?,
            correlation: get(row, 8)?,
            causation: get(row, 9)?,
            headers: headers.map_err(|e| damaged("set of headers").with_source(e))?,
            data: get(row, 11)?,
        },
    })
}

pub(super) fn get<'r, T: FromSql<'r>>(row: &'r Row, at: usize) -> Result<T> {
    row.try_get(at).map_err(storage("reading events"))
}
