//! The stores that are held to the facts.

mod postgres;
mod sqlite;

use ermine_compliance::{Fixture, ReferenceFixture};

pub(crate) use postgres::PostgresFixture;
pub(crate) use sqlite::SqliteFixture;

/// Every store, the oracle first.
pub(crate) fn all() -> [&'static dyn Fixture; 3] {
    [&ReferenceFixture, &SqliteFixture, &PostgresFixture]
}

/// The databases, each of which answers as the oracle does.
pub(crate) fn databases() -> [&'static dyn Fixture; 2] {
    [&SqliteFixture, &PostgresFixture]
}
