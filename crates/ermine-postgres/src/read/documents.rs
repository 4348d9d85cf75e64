//! Reads without a search: by id, in an order, counted, and what is recorded
//! beside vectors.

use std::collections::HashMap;

use ermine_core::{
    Answer, Error, ErrorKind, Id, Include, Query, Read, Result, StoredRecord, StoredVectorState,
    Target, TenantId,
};
use ermine_sql::{Postgres as Dialect, Sql, SqlValue, push_order, push_target};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};

use super::Snapshot;
use super::record::{Ids, record};
use crate::bind::{Bound, read_id, tenant_text};
use crate::error::{Doing, storage};
use crate::events;
use crate::layout::{Known, Layout, VectorTable};

/// Answers one read.
pub(crate) async fn answer(snapshot: &Snapshot, known: &Known, read: &Read) -> Result<Answer> {
    let client = snapshot.client()?;
    match read {
        Read::Stream { range, limit } => events::stream(client, range, *limit)
            .await
            .map(Answer::Events),
        Read::StreamState { tenant, stream } => events::state(client, tenant.as_ref(), stream)
            .await
            .map(Answer::Stream),
        Read::Shards => events::shards(client).await.map(Answer::Shards),
        Read::Parked {
            shard,
            after,
            limit,
        } => events::parked(client, shard, *after, *limit)
            .await
            .map(Answer::Parked),
        Read::Get {
            target,
            ids,
            include,
        } => {
            let layout = known.get(&target.schema)?;
            snapshot.check(*include).await?;
            get(client, &layout, target, ids, *include)
                .await
                .map(Answer::Records)
        }
        Read::Query(query) => {
            let layout = known.get(&query.target.schema)?;
            snapshot.check(query.include).await?;
            in_order(client, &layout, query).await.map(Answer::Records)
        }
        Read::Count { target, include } => {
            let layout = known.get(&target.schema)?;
            snapshot.check(*include).await?;
            count(client, &layout, target, None)
                .await
                .map(Answer::Count)
        }
        Read::CountVectors { target, field } => {
            let layout = known.get(&target.schema)?;
            count(client, &layout, target, Some(*field))
                .await
                .map(Answer::Count)
        }
        Read::Vectors {
            schema,
            tenant,
            field,
            ids,
        } => {
            let layout = known.get(schema)?;
            vector_states(client, &layout, tenant.as_ref(), *field, ids)
                .await
                .map(Answer::Vectors)
        }
        other => Err(Error::new(
            ErrorKind::Unsupported,
            format!("the PostgreSQL store does not know the read {other:?}"),
        )),
    }
}

async fn get(
    client: &Client,
    layout: &Layout,
    target: &Target,
    ids: &[Id],
    include: Include,
) -> Result<Vec<StoredRecord>> {
    let mut sql = Sql::new(&Dialect);
    sql.push(layout.selection(include));
    push_target(&mut sql, target)?;
    sql.push(format!(" AND d.id = ANY(${})", sql.values().len() + 1));
    push_order(&mut sql, &layout.schema, &[])?;
    let wanted = Ids::of(layout, ids);
    let (bound, wanted_values) = (Bound::of(&sql), wanted.values());
    let mut values = bound.values();
    values.push((&wanted_values, wanted.ty()));
    let rows = client
        .query_typed(sql.text(), &values)
        .await
        .map_err(storage(Doing("loading documents of", layout.schema.name())))?;
    // An id may be asked for twice, and several tenants may have it.
    let mut found: HashMap<Id, Vec<StoredRecord>> = HashMap::new();
    for row in &rows {
        let record = record(layout, row, include)?;
        found.entry(record.id.clone()).or_default().push(record);
    }
    let of_id = |id| found.get(id).into_iter().flatten().cloned();
    Ok(ids.iter().flat_map(of_id).collect())
}

async fn in_order(client: &Client, layout: &Layout, query: &Query) -> Result<Vec<StoredRecord>> {
    let mut sql = Sql::new(&Dialect);
    sql.push(layout.selection(query.include));
    push_target(&mut sql, &query.target)?;
    push_order(&mut sql, &layout.schema, &query.order)?;
    let integer = |n: usize| SqlValue::Integer(i64::try_from(n).unwrap_or(i64::MAX));
    sql.push(" LIMIT ").bind(integer(query.page.limit));
    sql.push(" OFFSET ").bind(integer(query.page.offset));
    let rows = filtered(client, layout, &sql).await?;
    rows.iter()
        .map(|row| record(layout, row, query.include))
        .collect()
}

/// The documents in scope, or those of them that hold a vector in a field.
async fn count(
    client: &Client,
    layout: &Layout,
    target: &Target,
    field: Option<usize>,
) -> Result<u64> {
    let mut sql = Sql::new(&Dialect);
    sql.push(format!(
        "SELECT count(*) FROM {} AS d WHERE ",
        layout.tables.documents
    ));
    push_target(&mut sql, target)?;
    if let Some(field) = field {
        let table = &vectors_of(layout, field)?.table;
        sql.push(format!(
            " AND EXISTS (SELECT 1 FROM {table} AS v WHERE v.doc = d.doc AND v.data IS NOT NULL)"
        ));
    }
    let rows = filtered(client, layout, &sql).await?;
    let counted: Option<i64> = match rows.first() {
        Some(row) => Some(row.try_get(0).map_err(storage("counting documents"))?),
        None => None,
    };
    Ok(counted.map_or(0, i64::cast_unsigned))
}

fn vectors_of(layout: &Layout, field: usize) -> Result<&VectorTable> {
    layout.vectors.get(field).ok_or_else(|| {
        Error::new(
            ErrorKind::UnknownField,
            format!("`{}` has no vector field number {field}", layout.schema),
        )
    })
}

async fn filtered(client: &Client, layout: &Layout, sql: &Sql) -> Result<Vec<Row>> {
    client
        .query_typed(sql.text(), &Bound::of(sql).values())
        .await
        .map_err(storage(Doing(
            "filtering documents of",
            layout.schema.name(),
        )))
}

async fn vector_states(
    client: &Client,
    layout: &Layout,
    tenant: Option<&TenantId>,
    field: usize,
    ids: &[Id],
) -> Result<Vec<Option<StoredVectorState>>> {
    let schema = &layout.schema;
    let vectors = vectors_of(layout, field)?;
    // A row that records neither says nothing.
    let sql = format!(
        "SELECT d.id, v.hash, v.data IS NOT NULL FROM {} AS d JOIN {} AS v ON v.doc = d.doc WHERE d.tenant = $1 AND d.id = ANY($2) AND (v.hash IS NOT NULL OR v.data IS NOT NULL) AND {}",
        layout.tables.documents, vectors.table, vectors.sound
    );
    let reading = || {
        storage(Doing(
            "reading what is recorded of vectors of",
            schema.name(),
        ))
    };
    let (tenant, wanted) = (tenant_text(tenant), Ids::of(layout, ids));
    let wanted_values = wanted.values();
    let values: [(&(dyn ToSql + Sync), Type); 2] =
        [(&tenant, Type::TEXT), (&wanted_values, wanted.ty())];
    let rows = client.query_typed(&sql, &values).await.map_err(reading())?;
    let mut states = HashMap::new();
    for row in &rows {
        let state = StoredVectorState {
            hash: row.try_get(1).map_err(reading())?,
            present: row.try_get(2).map_err(reading())?,
        };
        states.insert(read_id(schema, row, 0)?, state);
    }
    Ok(ids.iter().map(|id| states.get(id).cloned()).collect())
}
