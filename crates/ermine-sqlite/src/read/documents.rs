//! Reads without a search: by id, in an order, counted, and what is recorded
//! beside vectors.

use ermine_core::{
    Answer, Error, ErrorKind, Id, Include, Query, Read, Result, StoredRecord, StoredVectorState,
    Target, TenantId, Vector, VectorFieldSchema,
};
use ermine_sql::{Sql, SqlValue, Sqlite as Dialect, encode_id, push_order, push_target};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row};

use super::Snapshot;
use super::record::{documents, record_of};
use crate::bind::{Bind, bind_all, tenant_text};
use crate::error::{Doing, storage};
use crate::events;
use crate::layout::{Known, Layout, VectorTable};

/// Answers one read.
pub(crate) fn answer(snapshot: &Snapshot<'_>, known: &Known, read: &Read) -> Result<Answer> {
    let connection = snapshot.connection();
    match read {
        Read::Get {
            target,
            ids,
            include,
        } => {
            snapshot.check(*include)?;
            let layout = known.get(&target.schema)?;
            get(connection, &layout, target, ids, *include).map(Answer::Records)
        }
        Read::Query(query) => {
            snapshot.check(query.include)?;
            let layout = known.get(&query.target.schema)?;
            in_order(connection, &layout, query).map(Answer::Records)
        }
        Read::Count { target, include } => {
            snapshot.check(*include)?;
            let layout = known.get(&target.schema)?;
            count(connection, &layout, target, None).map(Answer::Count)
        }
        Read::CountVectors { target, field } => {
            let layout = known.get(&target.schema)?;
            count(connection, &layout, target, Some(*field)).map(Answer::Count)
        }
        Read::Vectors {
            schema,
            tenant,
            field,
            ids,
        } => {
            let layout = known.get(schema)?;
            vector_states(connection, &layout, tenant.as_ref(), *field, ids).map(Answer::Vectors)
        }
        Read::Stream { range, limit } => {
            events::stream(connection, range, *limit).map(Answer::Events)
        }
        Read::StreamState { tenant, stream } => {
            events::state(connection, tenant.as_ref(), stream).map(Answer::Stream)
        }
        Read::Shards => events::shards(connection).map(Answer::Shards),
        Read::Parked {
            shard,
            after,
            limit,
        } => events::parked(connection, shard, *after, *limit).map(Answer::Parked),
        other => Err(Error::new(
            ErrorKind::Unsupported,
            format!("the SQLite store does not know the read {other:?}"),
        )),
    }
}

fn get(
    connection: &Connection,
    layout: &Layout,
    target: &Target,
    ids: &[Id],
    include: Include,
) -> Result<Vec<StoredRecord>> {
    let mut sql = select(layout, "d.doc");
    push_target(&mut sql, target)?;
    // Placed after the target's values: the id is bound anew for each.
    sql.push(" AND d.id = ").bind(SqlValue::Null);
    push_order(&mut sql, &layout.schema, &[])?;
    let mut records = Vec::with_capacity(ids.len());
    let failed = || storage(Doing("loading documents of", layout.schema.name()));
    let mut statement = connection.prepare_cached(sql.text()).map_err(failed())?;
    bind_all(&mut statement, &sql).map_err(failed())?;
    for id in ids {
        let id = encode_id(id);
        statement
            .raw_bind_parameter(sql.values().len(), Bind(&id))
            .map_err(failed())?;
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next().map_err(failed())? {
            let doc = row.get(0).map_err(failed())?;
            records.extend(record_of(connection, layout, doc, include)?);
        }
    }
    Ok(records)
}

fn in_order(connection: &Connection, layout: &Layout, query: &Query) -> Result<Vec<StoredRecord>> {
    let mut sql = select(layout, "d.doc");
    push_target(&mut sql, &query.target)?;
    push_order(&mut sql, &layout.schema, &query.order)?;
    let integer = |n: usize| SqlValue::Integer(i64::try_from(n).unwrap_or(i64::MAX));
    sql.push(" LIMIT ").bind(integer(query.page.limit));
    sql.push(" OFFSET ").bind(integer(query.page.offset));
    let mut records = Vec::new();
    for doc in documents(connection, layout, &sql)? {
        records.extend(record_of(connection, layout, doc, query.include)?);
    }
    Ok(records)
}

/// The documents in scope, or those of them that hold a vector in a field.
fn count(
    connection: &Connection,
    layout: &Layout,
    target: &Target,
    field: Option<usize>,
) -> Result<u64> {
    let mut sql = select(layout, "count(*)");
    push_target(&mut sql, target)?;
    if let Some(field) = field {
        let table = &vectors_of(layout, field)?.table;
        sql.push(format!(
            " AND EXISTS (SELECT 1 FROM {table} AS v WHERE v.doc = d.doc AND v.data IS NOT NULL)"
        ));
    }
    let counted = documents(connection, layout, &sql)?;
    Ok(counted.first().map_or(0, |count| count.cast_unsigned()))
}

fn vectors_of(layout: &Layout, field: usize) -> Result<&VectorTable> {
    layout
        .vectors
        .get(field)
        .ok_or_else(|| unknown(layout, field))
}

fn unknown(layout: &Layout, field: usize) -> Error {
    Error::new(
        ErrorKind::UnknownField,
        format!("`{}` has no vector field number {field}", layout.schema),
    )
}

fn select(layout: &Layout, what: &str) -> Sql {
    let mut sql = Sql::new(&Dialect);
    sql.push(format!(
        "SELECT {what} FROM {} AS d WHERE ",
        layout.tables.documents
    ));
    sql
}

fn vector_states(
    connection: &Connection,
    layout: &Layout,
    tenant: Option<&TenantId>,
    field: usize,
    ids: &[Id],
) -> Result<Vec<Option<StoredVectorState>>> {
    let schema = &layout.schema;
    let table = vectors_of(layout, field)?;
    let declared = schema
        .vectors()
        .get(field)
        .ok_or_else(|| unknown(layout, field))?;
    let sql = format!(
        "SELECT v.hash, v.data FROM {} AS d JOIN {} AS v ON v.doc = d.doc WHERE d.tenant = ?1 AND d.id = ?2",
        layout.tables.documents, table.table
    );
    let mut states = Vec::with_capacity(ids.len());
    for id in ids {
        let id = encode_id(id);
        let state = connection
            .prepare_cached(&sql)
            .and_then(|mut statement| {
                statement
                    .query_row((tenant_text(tenant), Bind(&id)), |row| {
                        state_of(row, declared)
                    })
                    .optional()
            })
            .map_err(storage(Doing(
                "reading what is recorded of vectors of",
                schema.name(),
            )))?;
        // A row that records neither says nothing.
        let state = state.flatten();
        states.push(state.filter(|state| state.present || state.hash.is_some()));
    }
    Ok(states)
}

/// What a row of hash and data records of a field; `None` where the data is damaged.
pub(crate) fn state_of(
    row: &Row<'_>,
    field: &VectorFieldSchema,
) -> rusqlite::Result<Option<StoredVectorState>> {
    let present = match row.get_ref(1)? {
        ValueRef::Null => false,
        ValueRef::Blob(bytes)
            if Vector::from_stored(bytes, field.dimensions(), field.metric()).is_some() =>
        {
            true
        }
        _ => return Ok(None),
    };
    Ok(Some(StoredVectorState {
        hash: row.get(0)?,
        present,
    }))
}
