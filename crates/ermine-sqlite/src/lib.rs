//! Ermine on SQLite, inside the process.
