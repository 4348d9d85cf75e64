//! What the database says of itself: the format of its tables, how many groups
//! were committed, and which types it holds.

use std::time::Duration;

use ermine_core::{Declaration, Error, ErrorKind, Result};
use rusqlite::{Connection, OptionalExtension};

use crate::connection::in_transaction;
use crate::error::{corrupt, storage};
use crate::events;

/// The format of the tables this version writes and reads.
const FORMAT: i64 = 1;

const PREPARING: &str = "preparing the store's own tables";

/// The log of changes to vectors that a higher slot does not tell.
pub(crate) const VECTOR_LOG: &str = "ermine_vector_log";

/// Creates the store's own tables where they are missing, and refuses a database
/// that another version wrote in another format.
pub(crate) fn prepare(connection: &Connection, at_most: Duration) -> Result<()> {
    if !is_prepared(connection)? {
        in_transaction(connection, at_most, |connection| {
            // Another process may have been first.
            if is_prepared(connection)? {
                return Ok(());
            }
            connection
                .execute_batch(&format!(
                    "CREATE TABLE ermine_meta (
                       one INTEGER PRIMARY KEY CHECK (one = 1),
                       format INTEGER NOT NULL,
                       commits INTEGER NOT NULL
                     );
                     INSERT INTO ermine_meta VALUES (1, {FORMAT}, 0);
                     CREATE TABLE ermine_types (
                       name TEXT PRIMARY KEY,
                       declaration TEXT NOT NULL
                     ) WITHOUT ROWID;
                     CREATE TABLE ermine_vector_fields (
                       ix INTEGER PRIMARY KEY,
                       type TEXT NOT NULL,
                       field TEXT NOT NULL,
                       UNIQUE (type, field)
                     );
                     CREATE TABLE {VECTOR_LOG} (
                       seq INTEGER PRIMARY KEY AUTOINCREMENT,
                       ix INTEGER NOT NULL,
                       slot INTEGER NOT NULL
                     );
                     {}",
                    events::CREATE
                ))
                .map_err(storage(PREPARING))
        })?;
    }
    let format: i64 = connection
        .query_row("SELECT format FROM ermine_meta", [], |row| row.get(0))
        .map_err(storage(PREPARING))?;
    if format != FORMAT {
        return Err(Error::new(
            ErrorKind::SchemaMismatch,
            format!(
                "the database is stored in format {format}, and this version of Ermine reads format {FORMAT}; open it with the version that wrote it"
            ),
        ));
    }
    Ok(())
}

/// Whether the database holds a store.
pub(crate) fn is_prepared(connection: &Connection) -> Result<bool> {
    connection
        .query_row(
            "SELECT count(*) > 0 FROM sqlite_master WHERE type = 'table' AND name = 'ermine_meta'",
            [],
            |row| row.get(0),
        )
        .map_err(storage(PREPARING))
}

/// How many groups were committed, in the snapshot of this connection.
pub(crate) fn commits(connection: &Connection) -> Result<u64> {
    connection
        .prepare_cached("SELECT commits FROM ermine_meta")
        .and_then(|mut statement| statement.query_row([], |row| row.get::<_, i64>(0)))
        .map(i64::cast_unsigned)
        .map_err(storage("reading the commit number"))
}

/// Counts one more commit, and returns its number.
pub(crate) fn count_commit(connection: &Connection) -> Result<u64> {
    connection
        .prepare_cached("UPDATE ermine_meta SET commits = commits + 1 RETURNING commits")
        .and_then(|mut statement| statement.query_row([], |row| row.get::<_, i64>(0)))
        .map(i64::cast_unsigned)
        .map_err(storage("counting the commit"))
}

/// The declaration stored under a name.
pub(crate) fn declaration(connection: &Connection, name: &str) -> Result<Option<Declaration>> {
    let json: Option<String> = connection
        .prepare_cached("SELECT declaration FROM ermine_types WHERE name = ?1")
        .and_then(|mut statement| statement.query_row([name], |row| row.get(0)).optional())
        .map_err(storage("reading a declaration"))?;
    json.map(|json| parse(name, &json)).transpose()
}

/// The declarations stored, by name.
pub(crate) fn declarations(connection: &Connection) -> Result<Vec<Declaration>> {
    let rows: Vec<(String, String)> = connection
        .prepare_cached("SELECT name, declaration FROM ermine_types ORDER BY name")
        .and_then(|mut statement| {
            statement
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect()
        })
        .map_err(storage("reading the declarations"))?;
    rows.iter().map(|(name, json)| parse(name, json)).collect()
}

fn parse(name: &str, json: &str) -> Result<Declaration> {
    serde_json::from_str(json).map_err(|e| {
        corrupt(format!(
            "the stored declaration of `{name}` cannot be read; it was written by a newer version, or changed by hand"
        ))
        .with_source(e)
    })
}

/// Stores a declaration in the place of the one under its name.
pub(crate) fn store(connection: &Connection, declaration: &Declaration) -> Result<()> {
    let name = declaration.schema.name();
    let json = serde_json::to_string(declaration).map_err(|e| {
        corrupt(format!(
            "the declaration of `{name}` cannot be written as JSON"
        ))
        .with_source(e)
    })?;
    connection
        .prepare_cached(
            "INSERT INTO ermine_types (name, declaration) VALUES (?1, ?2)
             ON CONFLICT (name) DO UPDATE SET declaration = excluded.declaration",
        )
        .and_then(|mut statement| statement.execute((name, json)))
        .map(drop)
        .map_err(storage("storing a declaration"))
}

/// The number of a vector field in the log of changes, given out where it has none.
pub(crate) fn vector_field(connection: &Connection, name: &str, field: &str) -> Result<i64> {
    let find = "SELECT ix FROM ermine_vector_fields WHERE type = ?1 AND field = ?2";
    let add = "INSERT INTO ermine_vector_fields (type, field) VALUES (?1, ?2) RETURNING ix";
    let number = |sql: &str| {
        connection
            .prepare_cached(sql)
            .and_then(|mut statement| {
                statement
                    .query_row((name, field), |row| row.get::<_, i64>(0))
                    .optional()
            })
            .map_err(storage("numbering a vector field"))
    };
    match number(find)? {
        Some(number) => Ok(number),
        None => {
            number(add)?.ok_or_else(|| corrupt(format!("`{name}.{field}` was given no number")))
        }
    }
}
