//! How far the order of events is settled (rule E5).
//!
//! Who appends registers before it takes positions: it holds, shared and until its
//! transaction ends, the advisory lock of the last position given out by then. A reader
//! asks for the last position given out, then for the least registered one, then for
//! events, each in a statement of its own: an event at or before the first answer was
//! registered before that was given, so that it either is registered still, and lies
//! behind the second, or its transaction has ended, and the third sees it.

use ermine_core::{Position, Result};
use ermine_sql::events::position;
use tokio_postgres::{Client, Row};

use crate::error::storage;

/// The last position given out.
pub(super) const GIVEN: &str = "SELECT last_value FROM ermine_positions";

/// The least registered one. A lock's number is the sequence's, cut to 16 bits, before
/// 48 bits of the position; somebody else's lock that looks like one delays readers for
/// as long as it is held, and nothing else.
pub(super) const REGISTERED: &str = "\
SELECT min(((classid::bigint & 65535) << 32) | objid::bigint) FROM pg_locks
 WHERE locktype = 'advisory' AND objsubid = 1
 AND (classid::bigint >> 16) = ('ermine_positions'::regclass::oid::bigint & 65535)
 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

/// No event at or before it will ever appear.
pub(super) async fn mark(client: &Client) -> Result<Position> {
    let given = client.query_typed(GIVEN, &[]);
    let registered = client.query_typed(REGISTERED, &[]);
    let (given, registered) = futures_util::future::join(given, registered).await;
    let failed = || storage("reading how far events go");
    settled(&given.map_err(failed())?, &registered.map_err(failed())?)
}

/// The mark, of the two answers.
pub(super) fn settled(given: &[Row], registered: &[Row]) -> Result<Position> {
    let number = |rows: &[Row]| match rows.first() {
        Some(row) => row
            .try_get::<_, Option<i64>>(0)
            .map_err(storage("reading how far events go")),
        None => Ok(None),
    };
    let given = number(given)?.unwrap_or(0);
    let registered = number(registered)?.unwrap_or(given);
    Ok(position(given.min(registered)))
}
