//! Writing what happens to a vector field of a document (rule D11).

use ermine_core::{Error, ErrorKind, Id, Result, Schema, TenantId, VectorWrite};
use ermine_sql::encode_id;
use rusqlite::{Connection, OptionalExtension};

use crate::bind::{Bind, tenant_text};
use crate::error::{document, storage};
use crate::layout::{Layout, VectorTable};
use crate::read::state_of;

/// The document whose vectors are written.
#[derive(Clone, Copy)]
pub(super) struct Document<'a> {
    pub(super) schema: &'a Schema,
    pub(super) tenant: Option<&'a TenantId>,
    pub(super) id: &'a Id,
}

impl Document<'_> {
    fn failed(self) -> impl Fn(rusqlite::Error) -> Error {
        move |error| {
            let what = document(self.schema, self.tenant, self.id);
            storage(format_args!("writing {what}"))(error)
        }
    }
}

/// Writes the vectors of a document that is stored, hidden or not, and nothing else
/// of it; of a missing one, nothing happens.
pub(super) fn write_all(
    connection: &Connection,
    layout: &Layout,
    document: Document<'_>,
    writes: &[VectorWrite],
) -> Result<()> {
    let id = encode_id(document.id);
    let doc: Option<i64> = connection
        .prepare_cached(&layout.find)
        .and_then(|mut statement| {
            statement
                .query_row((tenant_text(document.tenant), Bind(&id)), |row| row.get(0))
                .optional()
        })
        .map_err(document.failed())?;
    let Some(doc) = doc else { return Ok(()) };
    for (at, one) in writes.iter().enumerate() {
        write(connection, layout, document, at, doc, one)?;
    }
    Ok(())
}

pub(super) fn write(
    connection: &Connection,
    layout: &Layout,
    document: Document<'_>,
    at: usize,
    doc: i64,
    write: &VectorWrite,
) -> Result<()> {
    let (Some(table), Some(field)) = (layout.vectors.get(at), layout.schema.vectors().get(at))
    else {
        return Ok(());
    };
    match write {
        VectorWrite::Keep => Ok(()),
        VectorWrite::KeepIfHash(expected) => {
            let stored = connection
                .prepare_cached(&table.state_of)
                .and_then(|mut s| s.query_row([doc], |row| state_of(row, field)).optional())
                .map_err(document.failed())?;
            let hash = stored.flatten().and_then(|state| state.hash);
            if hash.as_ref() == Some(expected) {
                return Ok(());
            }
            let what = crate::error::document(document.schema, document.tenant, document.id);
            Err(Error::new(
                ErrorKind::KeptVectorChanged,
                format!(
                    "{what} was to keep the vector of field `{}`, which another writer has replaced; read and write again",
                    field.name()
                ),
            ))
        }
        VectorWrite::Set { vector, hash } => {
            let data = vector.to_le_bytes();
            set(
                connection,
                table,
                document,
                doc,
                Some(&data),
                hash.as_deref(),
            )
        }
        VectorWrite::Clear { hash: Some(hash) } => {
            set(connection, table, document, doc, None, Some(hash))
        }
        VectorWrite::Clear { hash: None } => connection
            .prepare_cached(&table.delete)
            .and_then(|mut s| s.execute([doc]))
            .map(drop)
            .map_err(document.failed()),
    }
}

fn set(
    connection: &Connection,
    table: &VectorTable,
    document: Document<'_>,
    doc: i64,
    data: Option<&[u8]>,
    hash: Option<&str>,
) -> Result<()> {
    let execute = |sql: &str| {
        connection
            .prepare_cached(sql)
            .and_then(|mut s| s.execute((doc, data, hash)))
            .map_err(document.failed())
    };
    if execute(&table.update)? == 0 {
        execute(&table.insert)?;
    }
    Ok(())
}
