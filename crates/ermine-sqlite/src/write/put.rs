//! Storing a document: its row, its lists, its vectors, its text.

use ermine_core::{Error, ErrorKind, Put, PutMode, Result, Value};
use ermine_sql::{SqlValue, encode, encode_id};
use ermine_text::EncodedRecord;
use rusqlite::{Connection, OptionalExtension};

use super::vector;
use crate::bind::{Bind, tenant_text};
use crate::error::{document, storage};
use crate::layout::{Layout, TextTables};

/// Writes a document as its mode says (rule D2).
pub(super) fn put(connection: &Connection, layout: &Layout, put: &Put) -> Result<()> {
    let id = encode_id(&put.id);
    let found: Option<(i64, bool)> = connection
        .prepare_cached(&layout.find)
        .and_then(|mut statement| {
            statement
                .query_row((tenant_text(put.tenant.as_ref()), Bind(&id)), |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })
                .optional()
        })
        .map_err(failed(put))?;
    match (put.mode, found) {
        (PutMode::Store, _) | (PutMode::Insert, None) | (PutMode::Update, Some((_, false))) => {}
        (PutMode::Insert, Some(_)) => {
            return Err(refused(
                put,
                ErrorKind::AlreadyExists,
                "exists already; store it to replace it",
            ));
        }
        (PutMode::Update, _) => {
            return Err(refused(
                put,
                ErrorKind::Missing,
                "does not exist; store it to create it",
            ));
        }
        (other, _) => {
            return Err(refused(
                put,
                ErrorKind::Unsupported,
                &format!("cannot be written by {other:?} on the SQLite store"),
            ));
        }
    }
    let existed = found.is_some();
    let doc = match found {
        Some((doc, _)) => {
            write_row(connection, layout, put, Row::Of(doc))?;
            doc
        }
        None => {
            write_row(connection, layout, put, Row::New(&id))?;
            connection.last_insert_rowid()
        }
    };
    if layout.has_lists {
        write_lists(connection, layout, put, doc, existed)?;
    }
    let document = vector::Document {
        schema: &put.schema,
        tenant: put.tenant.as_ref(),
        id: &put.id,
    };
    for (at, write) in put.vectors.iter().enumerate() {
        vector::write(connection, layout, document, at, doc, write)?;
    }
    if let (Some(text), Some(record)) = (&layout.text, &put.text) {
        write_text(connection, text, put, doc, existed, record)?;
    }
    Ok(())
}

enum Row<'a> {
    New(&'a SqlValue),
    Of(i64),
}

fn write_row(connection: &Connection, layout: &Layout, put: &Put, row: Row<'_>) -> Result<()> {
    let write = || {
        let (mut statement, first_column) = match row {
            Row::New(id) => {
                let mut statement = connection.prepare_cached(&layout.insert)?;
                statement.raw_bind_parameter(1, tenant_text(put.tenant.as_ref()))?;
                statement.raw_bind_parameter(2, Bind(id))?;
                statement.raw_bind_parameter(3, &put.body)?;
                (statement, 4)
            }
            Row::Of(doc) => {
                let mut statement = connection.prepare_cached(&layout.update)?;
                statement.raw_bind_parameter(1, doc)?;
                statement.raw_bind_parameter(2, &put.body)?;
                (statement, 3)
            }
        };
        for (at, value) in put.columns.iter().enumerate() {
            let stored = match value {
                None => SqlValue::Null,
                // A list's column only says that it is present.
                Some(value) => encode(value).unwrap_or(SqlValue::Integer(1)),
            };
            statement.raw_bind_parameter(first_column + at, Bind(&stored))?;
        }
        statement.raw_execute()
    };
    write().map(drop).map_err(failed(put))
}

fn write_lists(
    connection: &Connection,
    layout: &Layout,
    put: &Put,
    doc: i64,
    existed: bool,
) -> Result<()> {
    let lists = &layout.tables.lists;
    if existed {
        connection
            .prepare_cached(&format!("DELETE FROM {lists} WHERE doc = ?1"))
            .and_then(|mut statement| statement.execute([doc]))
            .map_err(failed(put))?;
    }
    let insert = format!(
        "INSERT INTO {lists} (field, value, doc) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING"
    );
    for (column, value) in layout.schema.columns().iter().zip(&put.columns) {
        let Some(Value::List(items)) = value else {
            continue;
        };
        for item in items.iter().filter_map(encode) {
            connection
                .prepare_cached(&insert)
                .and_then(|mut statement| statement.execute((column.name(), Bind(&item), doc)))
                .map_err(failed(put))?;
        }
    }
    Ok(())
}

/// Writes the forward record into the tail. A record whose postings sit in a
/// segment is buried by the table's trigger; one that says the same is left there.
fn write_text(
    connection: &Connection,
    text: &TextTables,
    put: &Put,
    doc: i64,
    existed: bool,
    record: &ermine_core::ForwardRecord,
) -> Result<()> {
    let records = &text.records;
    check_record(put, record)?;
    if existed {
        let same: Option<bool> = connection
            .prepare_cached(&format!("SELECT terms = ?2 FROM {records} WHERE doc = ?1"))
            .and_then(|mut s| {
                s.query_row((doc, &record.bytes), |row| row.get(0))
                    .optional()
            })
            .map_err(failed(put))?;
        if same == Some(true) {
            return Ok(());
        }
    }
    let sql = format!(
        "INSERT INTO {records} (doc, tenant, live, seg, len, terms) VALUES (?1, ?2, 1, NULL, ?3, ?4)
         ON CONFLICT (doc) DO UPDATE SET seg = NULL, len = excluded.len, terms = excluded.terms"
    );
    connection
        .prepare_cached(&sql)
        .and_then(|mut statement| {
            statement.execute((
                doc,
                tenant_text(put.tenant.as_ref()),
                record.len,
                &record.bytes,
            ))
        })
        .map(drop)
        .map_err(failed(put))
}

/// The head of a record says what its type has and what is stored beside it: one
/// that does not could never be sealed.
fn check_record(put: &Put, record: &ermine_core::ForwardRecord) -> Result<()> {
    let head = EncodedRecord::new(&record.bytes).map_err(|e| {
        refused(
            put,
            ErrorKind::InvalidValue,
            "comes with analysed text that cannot be read",
        )
        .with_source(e)
    })?;
    if head.fields() == put.schema.text().len() && head.len() == u64::from(record.len) {
        return Ok(());
    }
    Err(refused(
        put,
        ErrorKind::InvalidValue,
        &format!(
            "comes with analysed text of {} fields and {} terms, expected {} and {}",
            head.fields(),
            head.len(),
            put.schema.text().len(),
            record.len
        ),
    ))
}

fn failed(put: &Put) -> impl Fn(rusqlite::Error) -> Error {
    |error| {
        let what = document(&put.schema, put.tenant.as_ref(), &put.id);
        storage(format_args!("writing {what}"))(error)
    }
}

fn refused(put: &Put, kind: ErrorKind, problem: &str) -> Error {
    let what = document(&put.schema, put.tenant.as_ref(), &put.id);
    Error::new(kind, format!("{what} {problem}"))
}
