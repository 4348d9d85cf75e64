//! Pages of all events, in their order (rule P2).

use ermine_core::{EventFilter, EventPage, Position, Result, StoredEvent};
use ermine_sql::events::{SELECT, integer};
use futures_util::future::join3;
use tokio_postgres::Client;
use tokio_postgres::types::Type;

use super::order::{GIVEN, REGISTERED, settled};
use super::row::event;
use crate::error::storage;

/// The events after a position that pass a filter, and how far that looked. Three
/// statements in one flush, each in a transaction of its own: as one they would be unsound.
pub(crate) async fn page(
    client: &Client,
    after: Position,
    filter: &EventFilter,
    limit: usize,
) -> Result<EventPage> {
    let (from, most) = (integer(after.get()), integer(limit as u64));
    let to = filter.up_to.map_or(i64::MAX, |up_to| integer(up_to.get()));
    let of_types = match filter.types {
        Some(_) => "AND e.type = ANY($4)",
        None => "AND $4::text[] IS NULL",
    };
    let sql = format!(
        "{SELECT} WHERE e.position > $1 AND e.position <= $2 AND NOT e.archived {of_types} ORDER BY e.position LIMIT $3"
    );
    let values: [(&(dyn tokio_postgres::types::ToSql + Sync), Type); 4] = [
        (&from, Type::INT8),
        (&to, Type::INT8),
        (&most, Type::INT8),
        (&filter.types, Type::TEXT_ARRAY),
    ];
    let (given, registered, rows) = join3(
        client.query_typed(GIVEN, &[]),
        client.query_typed(REGISTERED, &[]),
        client.query_typed(&sql, &values),
    )
    .await;
    let failed = || storage("reading events");
    let mark = settled(&given.map_err(failed())?, &registered.map_err(failed())?)?;
    let end = filter.up_to.map_or(mark, |up_to| up_to.min(mark));
    let events = rows.map_err(failed())?;
    let events: Result<Vec<StoredEvent>> = events.iter().map(event).collect();
    let mut events = events?;
    events.retain(|event| event.position <= end);
    let ceiling = match events.last() {
        Some(last) if events.len() >= limit => last.position,
        None if limit == 0 => after,
        _ => end.max(after),
    };
    Ok(EventPage {
        events,
        ceiling,
        mark,
    })
}
