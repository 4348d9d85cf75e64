//! Ermine on SQLite, inside the process.
mod bind;
mod catalog;
mod connection;
mod ensure;
mod error;
mod known;
mod layout;
mod rank;
mod read;
mod sqlite;
mod store;
mod text;
mod vector;
mod write;

pub use sqlite::Sqlite;
pub use store::SqliteStore;
