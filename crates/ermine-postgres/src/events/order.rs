//! How far the order of events is settled (rule E5).
//!
//! Who appends registers before it takes positions: it holds, shared and until its
//! transaction ends, the advisory lock of the last position given out by then. A reader
//! asks for the last position given out, then for the least registered one, then for
//! events, each in a statement of its own: an event at or before the first answer was
//! registered before that was given, so that it either is registered still, and lies
//! behind the second, or its transaction has ended, and the third sees it.
//!
//! A mark once computed stays true, and a later look may come to a smaller one: somebody
//! read the last position given out a while ago, and takes its lock only now. So each
//! process keeps the largest.

use std::sync::atomic::{AtomicU64, Ordering};

use ermine_core::{Error, ErrorKind, Position, Result};
use ermine_sql::events::position;
use tokio_postgres::{Client, Row};

use crate::error::storage;

/// The last position given out. A standby does not see who registered on the primary, and
/// its sequence runs ahead: nothing it says of the order holds.
pub(super) const GIVEN: &str =
    "SELECT last_value FROM ermine_positions WHERE NOT pg_is_in_recovery()";

/// The least registered one. A lock's number is the sequence's, cut to 16 bits, before
/// 48 bits of the position; somebody else's lock that looks like one delays readers for
/// as long as it is held.
pub(super) const REGISTERED: &str = "\
SELECT min(((classid::bigint & 65535) << 32) | objid::bigint) FROM pg_locks
 WHERE locktype = 'advisory' AND objsubid = 1
 AND (classid::bigint >> 16) = ('ermine_positions'::regclass::oid::bigint & 65535)
 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

/// How far events go.
#[derive(Debug, Clone, Copy)]
pub(super) struct Order {
    /// The last position given out.
    pub(super) given: Position,
    /// No event at or before it will ever appear.
    pub(super) mark: Position,
}

/// The largest mark that this process has computed.
#[derive(Default)]
pub(crate) struct Settled(AtomicU64);

impl Settled {
    pub(super) async fn order(&self, client: &Client) -> Result<Order> {
        let known = self.known();
        let given = client.query_typed(GIVEN, &[]);
        let registered = client.query_typed(REGISTERED, &[]);
        let (given, registered) = futures_util::future::join(given, registered).await;
        let failed = || storage("reading how far events go");
        self.of(
            known,
            &given.map_err(failed())?,
            &registered.map_err(failed())?,
        )
    }

    /// What is known before anything is asked. What another look comes to meanwhile may be
    /// beyond events that this one does not see.
    pub(super) fn known(&self) -> Position {
        Position::at(self.0.load(Ordering::Relaxed))
    }

    /// What the two answers say.
    pub(super) fn of(&self, known: Position, given: &[Row], registered: &[Row]) -> Result<Order> {
        let number = |row: &Row| row.try_get::<_, Option<i64>>(0);
        let failed = || storage("reading how far events go");
        let given = given.first().map(number).transpose().map_err(failed())?;
        let Some(given) = given.flatten() else {
            return Err(Error::new(
                ErrorKind::Unsupported,
                "this PostgreSQL is a standby, where events have no order to be read in; connect to the primary",
            ));
        };
        let registered = registered.first().map(number).transpose();
        let registered = registered.map_err(failed())?.flatten();
        let (given, registered) = (position(given), registered.map(position));
        let now = registered.map_or(given, |registered| registered.min(given));
        self.0.fetch_max(now.get(), Ordering::Relaxed);
        Ok(Order {
            given,
            mark: now.max(known),
        })
    }
}
