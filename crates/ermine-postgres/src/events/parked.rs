//! Events that were set aside (rule P10).

use ermine_core::{Parked, ParkedKey, Position, Result, ShardName};
use ermine_sql::events::{integer, position, tenant, timestamp};
use tokio_postgres::Client;
use tokio_postgres::types::Type;

use super::row::get;
use crate::error::storage;

const PARKED: &str = "SELECT position, tenant, reason, at FROM ermine_parked
 WHERE shard = $1 AND position > $2 ORDER BY position LIMIT $3";

/// What a shard set aside after a position.
pub(crate) async fn parked(
    client: &Client,
    shard: &ShardName,
    after: Position,
    limit: usize,
) -> Result<Vec<Parked>> {
    let (name, after, most) = (shard.as_str(), integer(after.get()), integer(limit as u64));
    let rows = client
        .query_typed(
            PARKED,
            &[
                (&name, Type::TEXT),
                (&after, Type::INT8),
                (&most, Type::INT8),
            ],
        )
        .await
        .map_err(storage("reading events that were set aside"))?;
    rows.iter()
        .map(|row| {
            Ok(Parked {
                key: ParkedKey {
                    shard: shard.clone(),
                    position: position(get(row, 0)?),
                },
                tenant: tenant(get(row, 1)?)?,
                reason: get(row, 2)?,
                at: timestamp(get(row, 3)?)?,
            })
        })
        .collect()
}
