//! Pages of all events, in their order (rule P2).

use std::collections::BTreeSet;

use ermine_core::{EventFilter, EventPage, Position, Result, StoredEvent};
use ermine_sql::events::{SELECT, integer};
use futures_util::future::join3;
use tokio_postgres::Client;
use tokio_postgres::types::{ToSql, Type};

use super::order::{GIVEN, REGISTERED, Settled};
use super::row::event;
use crate::error::storage;

/// The first events after a position: of each type by itself, or of all. Each part is read
/// along an index that has it in order, also by a planner that has no statistics yet: asked
/// for all types at once it would read and sort whatever is left, page after page. The
/// second end of the range excludes nothing; it makes the planner expect few events of a
/// type, and walk the index.
fn first(types: Option<&[&str]>) -> String {
    let part = |condition: String| {
        format!(
            "(SELECT a.* FROM ermine_events AS a
              WHERE a.position > $1 AND NOT a.archived{condition} ORDER BY a.position LIMIT $2)"
        )
    };
    match types {
        None => part(String::new()),
        Some([]) => part(" AND false".to_owned()),
        Some(types) => {
            let parts = (3..3 + types.len()).map(|at| {
                part(format!(
                    " AND a.type = ${at} AND a.position <= {}",
                    i64::MAX
                ))
            });
            parts.collect::<Vec<_>>().join(" UNION ALL ")
        }
    }
}

/// The events after a position that pass a filter, and how far that looked. Three
/// statements in one flush, each in a transaction of its own: as one they would be unsound.
pub(crate) async fn page(
    client: &Client,
    settled: &Settled,
    after: Position,
    filter: &EventFilter,
    limit: usize,
) -> Result<EventPage> {
    let (from, most) = (integer(after.get()), integer(limit as u64));
    let types = filter.types.as_ref().map(|types| {
        let types: BTreeSet<&str> = types.iter().map(String::as_str).collect();
        types.into_iter().collect::<Vec<_>>()
    });
    let first = first(types.as_deref());
    // Not pulled up: a stream is found by its number for each event.
    let sql = format!(
        "{SELECT} FROM (SELECT * FROM ({first}) AS p ORDER BY p.position LIMIT $2) AS e
         CROSS JOIN LATERAL (SELECT * FROM ermine_streams AS h WHERE h.stream = e.stream OFFSET 0) AS s
         ORDER BY e.position"
    );
    let mut values: Vec<(&(dyn ToSql + Sync), Type)> =
        vec![(&from, Type::INT8), (&most, Type::INT8)];
    let types = types.iter().flatten();
    values.extend(types.map(|name| (name as &(dyn ToSql + Sync), Type::TEXT)));
    let known = settled.known();
    let (given, registered, rows) = join3(
        client.query_typed(GIVEN, &[]),
        client.query_typed(REGISTERED, &[]),
        client.query_typed(&sql, &values),
    )
    .await;
    let failed = || storage("reading events");
    let order = settled.of(
        known,
        &given.map_err(failed())?,
        &registered.map_err(failed())?,
    )?;
    let mark = order.mark;
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
        given: order.given,
    })
}
