//! The PostgreSQL store from outside: a file per behaviour.
//!
//! The server is the one that `ERMINE_TEST_POSTGRES` names; each test has a schema of its own.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

mod approximate;
mod connections;
mod events;
mod loading;
mod opening;
mod plain_sql;
mod reads;
mod segments;
mod soak;
mod support;
#[cfg(feature = "tls")]
mod tls;
mod vectors;
mod writers;
