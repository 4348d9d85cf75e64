//! The stores that are held to the facts.

mod sqlite;

use ermine_compliance::{Fixture, ReferenceFixture};

pub(crate) use sqlite::SqliteFixture;

/// Every store, the oracle first.
pub(crate) fn all() -> [&'static dyn Fixture; 2] {
    [&ReferenceFixture, &SqliteFixture]
}
