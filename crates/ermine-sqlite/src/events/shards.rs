//! Shards: their progress, and the right to run them.

use ermine_core::{
    Advance, Epoch, LeaseOp, LeaseState, Result, ShardName, ShardRow, ShardState, Timestamp,
};
use ermine_sql::events::{integer, position, timestamp};
use rusqlite::{Connection, OptionalExtension, Row};

use super::tables::failed;

pub(super) const OF: &str = "SELECT shard, position, epoch, holder, expires, paused, rebuilding
 FROM ermine_shards WHERE shard = ?1";

const ALL: &str = "SELECT shard, position, epoch, holder, expires, paused, rebuilding
 FROM ermine_shards ORDER BY shard";

const WRITE: &str = "INSERT INTO ermine_shards
 (shard, position, epoch, holder, expires, paused, rebuilding)
 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
 ON CONFLICT (shard) DO UPDATE SET position = excluded.position, epoch = excluded.epoch,
 holder = excluded.holder, expires = excluded.expires, paused = excluded.paused,
 rebuilding = excluded.rebuilding";

type Columns = (
    String,
    i64,
    i64,
    Option<String>,
    Option<i64>,
    Option<String>,
    Option<i64>,
);

/// Moves a shard that is where the unit's guard says (rule P1). Nobody else writes
/// until the transaction ends, so that what is read here is still so when it commits.
pub(crate) fn advance(connection: &Connection, advance: &Advance) -> Result<()> {
    let mut row = read(connection, &advance.shard)?;
    row.advance(advance)?;
    write(connection, &advance.shard, &row)
}

/// Does what is to be done with a lease, in a transaction that writes. The clock is
/// the machine's: whoever opens the file is on it.
pub(crate) fn lease(connection: &Connection, op: &LeaseOp) -> Result<LeaseState> {
    let now = Timestamp::now();
    let before = read(connection, op.shard())?;
    let mut row = before.clone();
    row.apply(op, now)?;
    if row != before {
        write(connection, op.shard(), &row)?;
    }
    Ok(row.lease_state(now))
}

/// What is known about every shard.
pub(crate) fn shards(connection: &Connection) -> Result<Vec<ShardState>> {
    let now = Timestamp::now();
    let rows: Vec<Columns> = connection
        .prepare_cached(ALL)
        .and_then(|mut statement| statement.query_map([], columns)?.collect())
        .map_err(failed("reading the shards"))?;
    rows.into_iter()
        .map(|row| {
            let shard = ShardName::new(row.0.clone());
            Ok(shard_row(row)?.state(shard, now))
        })
        .collect()
}

fn read(connection: &Connection, shard: &ShardName) -> Result<ShardRow> {
    connection
        .prepare_cached(OF)
        .and_then(|mut s| s.query_row([shard.as_str()], columns).optional())
        .map_err(failed(format_args!("reading shard `{shard}`")))?
        .map_or_else(|| Ok(ShardRow::default()), shard_row)
}

fn columns(row: &Row<'_>) -> rusqlite::Result<Columns> {
    row.try_into()
}

fn shard_row((_, at, epoch, holder, expires, paused, rebuilding): Columns) -> Result<ShardRow> {
    let lease = match (holder, expires) {
        (Some(holder), Some(expires)) => Some((holder, timestamp(expires)?)),
        _ => None,
    };
    Ok(ShardRow {
        position: position(at),
        epoch: Epoch::at(epoch.cast_unsigned()),
        lease,
        paused,
        rebuilding: rebuilding.map(position),
    })
}

fn write(connection: &Connection, shard: &ShardName, row: &ShardRow) -> Result<()> {
    let lease = row.lease.as_ref();
    connection
        .prepare_cached(WRITE)
        .and_then(|mut statement| {
            statement.execute((
                shard.as_str(),
                integer(row.position.get()),
                integer(row.epoch.get()),
                lease.map(|(holder, _)| holder),
                lease.map(|(_, expires)| expires.unix_micros()),
                &row.paused,
                row.rebuilding.map(|mark| integer(mark.get())),
            ))
        })
        .map(drop)
        .map_err(failed(format_args!("writing shard `{shard}`")))
}
