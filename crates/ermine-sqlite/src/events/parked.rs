//! Events that were set aside (rule P10).

use ermine_core::{Parked, ParkedKey, Position, Result, ShardName};
use ermine_sql::events::{integer, position, tenant, timestamp};
use rusqlite::Connection;

use super::tables::failed;
use crate::bind::tenant_text;

const PARK: &str = "INSERT INTO ermine_parked (shard, position, tenant, reason, at)
 VALUES (?1, ?2, ?3, ?4, ?5)
 ON CONFLICT (shard, position) DO UPDATE SET reason = excluded.reason";

pub(super) const UNPARK: &str = "DELETE FROM ermine_parked WHERE shard = ?1 AND position = ?2";

pub(super) const PARKED: &str = "SELECT position, tenant, reason, at FROM ermine_parked
 WHERE shard = ?1 AND position > ?2 ORDER BY position LIMIT ?3";

/// Sets an event aside; one that is already gets the new reason.
pub(crate) fn park(connection: &Connection, parked: &Parked) -> Result<()> {
    let key = &parked.key;
    connection
        .prepare_cached(PARK)
        .and_then(|mut statement| {
            statement.execute((
                key.shard.as_str(),
                integer(key.position.get()),
                tenant_text(parked.tenant.as_ref()),
                &parked.reason,
                parked.at.unix_micros(),
            ))
        })
        .map(drop)
        .map_err(failed("setting an event aside"))
}

/// Forgets an event that was set aside.
pub(crate) fn unpark(connection: &Connection, key: &ParkedKey) -> Result<()> {
    connection
        .prepare_cached(UNPARK)
        .and_then(|mut s| s.execute((key.shard.as_str(), integer(key.position.get()))))
        .map(drop)
        .map_err(failed("forgetting an event that was set aside"))
}

/// What a shard set aside after a position.
pub(crate) fn parked(
    connection: &Connection,
    shard: &ShardName,
    after: Position,
    limit: usize,
) -> Result<Vec<Parked>> {
    let rows: Vec<(i64, String, String, i64)> = connection
        .prepare_cached(PARKED)
        .and_then(|mut statement| {
            let values = (shard.as_str(), integer(after.get()), integer(limit as u64));
            statement.query_map(values, |row| row.try_into())?.collect()
        })
        .map_err(failed("reading events that were set aside"))?;
    rows.into_iter()
        .map(|(place, of, reason, at)| {
            Ok(Parked {
                key: ParkedKey {
                    shard: shard.clone(),
                    position: position(place),
                },
                tenant: tenant(of)?,
                reason,
                at: timestamp(at)?,
            })
        })
        .collect()
}
