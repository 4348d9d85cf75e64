//! Writing what happens to a vector field of a document (rule D11).

use ermine_core::{ErrorKind, Put, Result, VectorWrite};
use rusqlite::{Connection, OptionalExtension};

use super::put::{failed, refused};
use crate::layout::{Layout, VectorTable};
use crate::read::state_of;

pub(super) fn write(
    connection: &Connection,
    layout: &Layout,
    put: &Put,
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
                .map_err(failed(put))?;
            let hash = stored.flatten().and_then(|state| state.hash);
            if hash.as_ref() == Some(expected) {
                return Ok(());
            }
            Err(refused(
                put,
                ErrorKind::KeptVectorChanged,
                &format!(
                    "was to keep the vector of field `{}`, which another writer has replaced; read and write again",
                    field.name()
                ),
            ))
        }
        VectorWrite::Set { vector, hash } => {
            let data = vector.to_le_bytes();
            set(connection, table, put, doc, Some(&data), hash.as_deref())
        }
        VectorWrite::Clear { hash: Some(hash) } => {
            set(connection, table, put, doc, None, Some(hash))
        }
        VectorWrite::Clear { hash: None } => connection
            .prepare_cached(&table.delete)
            .and_then(|mut s| s.execute([doc]))
            .map(drop)
            .map_err(failed(put)),
    }
}

fn set(
    connection: &Connection,
    table: &VectorTable,
    put: &Put,
    doc: i64,
    data: Option<&[u8]>,
    hash: Option<&str>,
) -> Result<()> {
    let execute = |sql: &str| {
        connection
            .prepare_cached(sql)
            .and_then(|mut s| s.execute((doc, data, hash)))
            .map_err(failed(put))
    };
    if execute(&table.update)? == 0 {
        execute(&table.insert)?;
    }
    Ok(())
}
