//! Documents as a caller gets them.

use std::collections::HashSet;

use ermine_core::{
    Embedding, Error, ErrorKind, Include, Result, ScopedId, StoredRecord, Target, Vector,
};
use ermine_scan::DocSet;
use ermine_sql::{Sql, Sqlite as Dialect, push_target};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row};

use crate::bind::{bind_all, read_id, read_tenant};
use crate::error::{Doing, corrupt, document, storage};
use crate::layout::Layout;

/// Tenant and id of a document; `None` where there is no such document.
pub(crate) fn key_of(
    connection: &Connection,
    layout: &Layout,
    doc: i64,
) -> Result<Option<ScopedId>> {
    one(connection, layout, &layout.key_of, doc, |row| {
        key(layout, row)
    })
}

/// A document, with its vectors where they are wanted.
pub(crate) fn record_of(
    connection: &Connection,
    layout: &Layout,
    doc: i64,
    include: Include,
) -> Result<Option<StoredRecord>> {
    let record = one(connection, layout, &layout.record_of, doc, |row| {
        let (tenant, id) = key(layout, row)?;
        let body = row.get(2).map_err(storage("reading a document"))?;
        Ok((tenant, id, body))
    })?;
    let Some((tenant, id, body)) = record else {
        return Ok(None);
    };
    let embeddings = if include.vectors {
        embeddings(connection, layout, doc)
            .map_err(|e| e.in_context(document(&layout.schema, tenant.as_ref(), &id)))?
    } else {
        vec![Embedding::NotLoaded; layout.vectors.len()]
    };
    Ok(Some(StoredRecord {
        id,
        tenant,
        body,
        embeddings,
    }))
}

/// The documents in a target's scope that pass its filter, those of `excluded` left out.
pub(crate) fn row_set(
    connection: &Connection,
    layout: &Layout,
    target: &Target,
    excluded: &HashSet<i64>,
) -> Result<DocSet> {
    let mut sql = Sql::new(&Dialect);
    sql.push(format!(
        "SELECT d.doc FROM {} AS d WHERE ",
        layout.tables.documents
    ));
    push_target(&mut sql, target)?;
    let docs = documents(connection, layout, &sql)?;
    Ok(docs
        .into_iter()
        .filter(|doc| !excluded.contains(doc))
        .collect())
}

/// The document numbers that a statement selects, in its order.
pub(super) fn documents(connection: &Connection, layout: &Layout, sql: &Sql) -> Result<Vec<i64>> {
    let select = || {
        let mut statement = connection.prepare_cached(sql.text())?;
        bind_all(&mut statement, sql)?;
        let mut rows = statement.raw_query();
        let mut docs = Vec::new();
        while let Some(row) = rows.next()? {
            docs.push(row.get(0)?);
        }
        Ok(docs)
    };
    select().map_err(storage(Doing(
        "filtering documents of",
        layout.schema.name(),
    )))
}

fn key(layout: &Layout, row: &Row<'_>) -> Result<ScopedId> {
    let tenant: String = row.get(0).map_err(storage("reading a tenant"))?;
    Ok((
        read_tenant(&layout.schema, &tenant)?,
        read_id(&layout.schema, row, 1)?,
    ))
}

fn one<T>(
    connection: &Connection,
    layout: &Layout,
    sql: &str,
    doc: i64,
    read: impl FnOnce(&Row<'_>) -> Result<T>,
) -> Result<Option<T>> {
    let failed = || storage(Doing("reading a document of", layout.schema.name()));
    connection
        .prepare_cached(sql)
        .and_then(|mut statement| statement.query_row([doc], |row| Ok(read(row))).optional())
        .map_err(failed())?
        .transpose()
}

/// The vectors of a document, each judged as the field was declared (rule V6).
fn embeddings(connection: &Connection, layout: &Layout, doc: i64) -> Result<Vec<Embedding>> {
    let fields = layout.schema.vectors().iter().zip(&layout.vectors);
    fields
        .map(|(field, table)| {
            let load = |row: &Row<'_>| {
                Ok(match row.get_ref(1)? {
                    ValueRef::Null => Ok(Embedding::Absent),
                    ValueRef::Blob(bytes) => Vector::from_le_bytes(bytes)
                        .ok_or_else(|| {
                            Error::new(
                                ErrorKind::WrongDimensions,
                                format!("{} bytes are no vector", bytes.len()),
                            )
                        })
                        .and_then(|vector| {
                            vector.check(field.dimensions(), field.metric(), "its value")?;
                            Ok(Embedding::Present(vector))
                        }),
                    other => Err(corrupt(format!("{} is no vector", other.data_type()))),
                })
            };
            let stored: Option<Result<Embedding>> = connection
                .prepare_cached(&table.state_of)
                .and_then(|mut statement| statement.query_row([doc], load).optional())
                .map_err(storage("reading a vector"))?;
            stored.unwrap_or(Ok(Embedding::Absent)).map_err(|e| {
                corrupt(format!(
                    "the stored vector of field `{}` is damaged ({e}, expected {} bytes); store the document's vector again",
                    field.name(),
                    field.dimensions() * 4
                ))
            })
        })
        .collect()
}
