//! Reading streams.

use ermine_core::{Result, StoredEvent, StreamId, StreamRange, StreamState, TenantId};
use ermine_sql::events::{FROM, SELECT, integer, stored_stream, timestamp};
use tokio_postgres::Client;
use tokio_postgres::types::{ToSql, Type};

use super::row::{event, get};
use crate::bind::tenant_text;
use crate::error::storage;

const STATE: &str = "SELECT version, archived, created, updated
 FROM ermine_streams WHERE tenant = $1 AND id = $3 AND kind = $2";

/// What is known about a stream.
pub(crate) async fn state(
    client: &Client,
    tenant: Option<&TenantId>,
    stream: &StreamId,
) -> Result<Option<StreamState>> {
    let tenant = tenant_text(tenant);
    let (kind, id) = stored_stream(stream);
    let rows = client
        .query_typed(
            STATE,
            &[
                (&tenant, Type::TEXT),
                (&kind, Type::TEXT),
                (&id, Type::TEXT),
            ],
        )
        .await
        .map_err(storage("finding a stream"))?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    Ok(Some(StreamState {
        version: get::<i64>(row, 0)?.cast_unsigned(),
        archived: get(row, 1)?,
        created: timestamp(get(row, 2)?)?,
        updated: timestamp(get(row, 3)?)?,
    }))
}

/// A stream's events.
pub(crate) async fn stream(
    client: &Client,
    range: &StreamRange,
    limit: usize,
) -> Result<Vec<StoredEvent>> {
    let tenant = tenant_text(range.tenant.as_ref());
    let (kind, id) = stored_stream(&range.stream);
    let from = integer(range.from);
    let to = range.to.map_or(i64::MAX, integer);
    let until = range.until.map(|until| until.unix_micros());
    let most = integer(limit as u64);
    // The longest prefix up to a time ends before the first version that is later, which
    // takes reading the whole stream.
    let prefix = match until {
        None => "",
        Some(_) => {
            "AND e.version < coalesce((SELECT min(l.version) FROM ermine_events AS l
               WHERE l.stream = s.stream AND l.at > $7), 9223372036854775807)"
        }
    };
    let sql = format!(
        "{SELECT} {FROM}
         WHERE s.tenant = $1 AND s.kind = $2 AND s.id = $3 AND e.version >= $4 AND e.version <= $5
         {prefix} ORDER BY e.version LIMIT $6"
    );
    let mut values: Vec<(&(dyn ToSql + Sync), Type)> = vec![
        (&tenant, Type::TEXT),
        (&kind, Type::TEXT),
        (&id, Type::TEXT),
        (&from, Type::INT8),
        (&to, Type::INT8),
        (&most, Type::INT8),
    ];
    if let Some(until) = &until {
        values.push((until, Type::INT8));
    }
    let rows = client
        .query_typed(&sql, &values)
        .await
        .map_err(storage("reading a stream"))?;
    rows.iter().map(event).collect()
}
