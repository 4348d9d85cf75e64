//! Shards: their progress, and the right to run them.

use ermine_core::{Epoch, LeaseOp, LeaseState, Result, ShardName, ShardRow, ShardState, Timestamp};
use ermine_sql::events::{integer, position, timestamp};
use futures_util::future::try_join4;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Row};

use super::row::get;
use crate::error::storage;
use crate::pool::Pool;

/// A shard, held until the transaction ends.
pub(crate) const SHARD: &str = "SELECT shard, position, epoch, holder, expires, paused, rebuilding
 FROM ermine_shards WHERE shard = $1 FOR UPDATE";

const ALL: &str = "SELECT shard, position, epoch, holder, expires, paused, rebuilding
 FROM ermine_shards ORDER BY shard";

const MAKE: &str = "INSERT INTO ermine_shards (shard) VALUES ($1) ON CONFLICT DO NOTHING";

const WRITE: &str =
    "UPDATE ermine_shards SET epoch = $2, holder = $3, expires = $4, paused = $5, rebuilding = $6
 WHERE shard = $1";

const CLOCK: &str = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

/// Does what is to be done with a lease, by the database's clock as it is once the
/// shard is held.
pub(crate) async fn lease(pool: &Pool, op: &LeaseOp) -> Result<LeaseState> {
    let lease = pool.get().await?;
    match apply(lease.client()?, op).await {
        Ok(state) => {
            lease.give_back();
            Ok(state)
        }
        Err(error) => {
            // What could not be rolled back was not committed; the connection goes.
            let _ = lease.roll_back().await;
            Err(error)
        }
    }
}

async fn apply(client: &Client, op: &LeaseOp) -> Result<LeaseState> {
    let name = op.shard().as_str();
    let failed = || storage(format!("leasing shard `{name}`"));
    let by_name = [(
        &name as &(dyn tokio_postgres::types::ToSql + Sync),
        Type::TEXT,
    )];
    let ((), _, found, clock) = try_join4(
        client.batch_execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"),
        client.execute_typed(MAKE, &by_name),
        client.query_typed(SHARD, &by_name),
        client.query_typed(CLOCK, &[]),
    )
    .await
    .map_err(failed())?;
    let now = now(&clock)?;
    let before = found
        .first()
        .map_or_else(|| Ok(ShardRow::default()), shard_row)?;
    let mut row = before.clone();
    row.apply(op, now)?;
    if row == before {
        // A shard that was made for nothing goes again.
        client.batch_execute("ROLLBACK").await.map_err(failed())?;
        return Ok(row.lease_state(now));
    }
    let epoch = integer(row.epoch.get());
    let holder = row.lease.as_ref().map(|(holder, _)| holder);
    let expires = row.lease.as_ref().map(|(_, until)| until.unix_micros());
    let rebuilding = row.rebuilding.map(|mark| integer(mark.get()));
    client
        .execute_typed(
            WRITE,
            &[
                (&name, Type::TEXT),
                (&epoch, Type::INT8),
                (&holder, Type::TEXT),
                (&expires, Type::INT8),
                (&row.paused, Type::TEXT),
                (&rebuilding, Type::INT8),
            ],
        )
        .await
        .map_err(failed())?;
    client.batch_execute("COMMIT").await.map_err(failed())?;
    Ok(row.lease_state(now))
}

/// What is known about every shard.
pub(crate) async fn shards(client: &Client) -> Result<Vec<ShardState>> {
    let read = futures_util::future::try_join(
        client.query_typed(ALL, &[]),
        client.query_typed(CLOCK, &[]),
    );
    let (rows, clock) = read.await.map_err(storage("reading the shards"))?;
    let now = now(&clock)?;
    rows.iter()
        .map(|row| {
            let shard = ShardName::new(get::<String>(row, 0)?);
            Ok(shard_row(row)?.state(shard, now))
        })
        .collect()
}

fn now(rows: &[Row]) -> Result<Timestamp> {
    let micros = rows.first().map_or(Ok(0), |row| get(row, 0))?;
    timestamp(micros)
}

/// The shard in a row that [`SHARD`] selects.
pub(crate) fn shard_row(row: &Row) -> Result<ShardRow> {
    let lease = match (get(row, 3)?, get(row, 4)?) {
        (Some(holder), Some(expires)) => Some((holder, timestamp(expires)?)),
        _ => None,
    };
    Ok(ShardRow {
        position: position(get(row, 1)?),
        epoch: Epoch::at(get::<i64>(row, 2)?.cast_unsigned()),
        lease,
        paused: get(row, 5)?,
        rebuilding: get::<Option<i64>>(row, 6)?.map(position),
    })
}
