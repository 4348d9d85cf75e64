//! What the database says of itself: the format of its tables, and which types it holds.

use ermine_core::{Declaration, Error, ErrorKind, Result};
use ermine_sql::quote;
use tokio_postgres::Client;
use tokio_postgres::types::Type;

use crate::error::{corrupt, storage};
use crate::events;

/// The format of the tables this version writes and reads.
const FORMAT: i64 = 1;

const PREPARING: &str = "preparing the store's own tables";

/// Lets one process at a time change tables in this schema.
pub(crate) const LOCK_TABLES: &str = "SELECT pg_advisory_xact_lock(hashtextextended('ermine tables ' || coalesce(current_schema(), ''), 0))";

/// Creates the schema asked for and the store's own tables where they are missing, and
/// refuses a database that another version wrote in another format.
pub(crate) async fn prepare(client: &Client, schema: Option<&str>) -> Result<()> {
    if !is_prepared(client).await? {
        let schema = match schema {
            Some(schema) => format!("CREATE SCHEMA IF NOT EXISTS {};", quote(schema)),
            None => String::new(),
        };
        // The schema first: what is locked goes by its name.
        let ddl = format!(
            r#"BEGIN;
             SELECT pg_advisory_xact_lock(hashtextextended('ermine schemas', 0));
             {schema}
             {LOCK_TABLES};
             CREATE TABLE IF NOT EXISTS ermine_meta (
               one boolean PRIMARY KEY DEFAULT true CHECK (one),
               format bigint NOT NULL
             );
             INSERT INTO ermine_meta (format) VALUES ({FORMAT}) ON CONFLICT DO NOTHING;
             CREATE TABLE IF NOT EXISTS ermine_types (
               name text COLLATE "C" PRIMARY KEY,
               declaration text NOT NULL
             );
             {}
             COMMIT"#,
            events::CREATE_MISSING
        );
        if let Err(error) = client.batch_execute(&ddl).await {
            // The first error is the one to tell.
            let _ = client.batch_execute("ROLLBACK").await;
            return Err(storage(PREPARING)(error));
        }
    }
    let rows = client
        .query_typed("SELECT format FROM ermine_meta", &[])
        .await
        .map_err(storage(PREPARING))?;
    let format: Option<i64> = match rows.first() {
        Some(row) => Some(row.try_get(0).map_err(storage(PREPARING))?),
        None => None,
    };
    if format == Some(FORMAT) {
        return Ok(());
    }
    let format = format.map_or("none".to_owned(), |format| format.to_string());
    Err(Error::new(
        ErrorKind::SchemaMismatch,
        format!(
            "the database is stored in format {format}, and this version of Ermine reads format {FORMAT}; open it with the version that wrote it"
        ),
    ))
}

/// Whether the tables, of which the last is asked for, are in the very schema that new ones would be created in.
async fn is_prepared(client: &Client) -> Result<bool> {
    let found = client
        .query_typed(
            "SELECT 1 FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
             WHERE n.nspname = current_schema() AND c.relname = 'ermine_parked'",
            &[],
        )
        .await
        .map_err(storage(PREPARING))?;
    Ok(!found.is_empty())
}

/// The declaration stored under a name.
pub(crate) async fn declaration(client: &Client, name: &str) -> Result<Option<Declaration>> {
    let rows = client
        .query_typed(
            "SELECT declaration FROM ermine_types WHERE name = $1",
            &[(&name, Type::TEXT)],
        )
        .await
        .map_err(storage("reading a declaration"))?;
    match rows.first() {
        None => Ok(None),
        Some(row) => {
            let json = row.try_get(0).map_err(storage("reading a declaration"))?;
            parse(name, json).map(Some)
        }
    }
}

/// The declarations stored, by name.
pub(crate) async fn declarations(client: &Client) -> Result<Vec<Declaration>> {
    let reading = || storage("reading the declarations");
    let rows = client
        .query_typed(
            "SELECT name, declaration FROM ermine_types ORDER BY name",
            &[],
        )
        .await
        .map_err(reading())?;
    let declaration = |row: &tokio_postgres::Row| {
        let name = row.try_get(0).map_err(reading())?;
        parse(name, row.try_get(1).map_err(reading())?)
    };
    rows.iter().map(declaration).collect()
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
pub(crate) async fn store(client: &Client, declaration: &Declaration) -> Result<()> {
    let name = declaration.schema.name();
    let json = serde_json::to_string(declaration).map_err(|e| {
        corrupt(format!(
            "the declaration of `{name}` cannot be written as JSON"
        ))
        .with_source(e)
    })?;
    client
        .execute_typed(
            "INSERT INTO ermine_types (name, declaration) VALUES ($1, $2)
             ON CONFLICT (name) DO UPDATE SET declaration = excluded.declaration",
            &[(&name, Type::TEXT), (&json, Type::TEXT)],
        )
        .await
        .map(drop)
        .map_err(storage("storing a declaration"))
}
