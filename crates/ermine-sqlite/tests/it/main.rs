//! The SQLite store from outside: a file per behaviour.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

mod cancelling;
mod damaged_vectors;
mod deletes;
mod events;
mod group_commit;
mod killed;
mod locked;
mod plain_sql;
mod processes;
mod reads;
mod reopening;
mod schema_changes;
mod segments;
mod snapshots;
mod support;
mod tenants;
