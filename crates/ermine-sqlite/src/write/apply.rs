//! Writing one unit, inside its savepoint.

use std::collections::HashMap;
use std::sync::Arc;

use ermine_core::{
    DeleteMode, Deletion, Error, ErrorKind, Expr, Id, Op, Position, Result, Schema, Scope, Target,
    TenantId, Timestamp, Unit,
};
use ermine_sql::{Sql, SqlValue, Sqlite as Dialect, encode_id, push_target};
use rusqlite::Connection;

use super::{put, vector};
use crate::bind::{Bind, bind_all, tenant_text};
use crate::error::{Doing, storage};
use crate::events;
use crate::layout::{Known, Layout};

/// How many documents changed, by type and stored tenant: what tells when the
/// indexes want tending.
pub(crate) type Changes = HashMap<(String, String), u64>;

/// Writes the operations of a unit in order; the position of its last event, where it
/// has any.
pub(crate) fn unit(
    connection: &Connection,
    known: &Known,
    unit: &Unit,
    changes: &mut Changes,
) -> Result<Option<Position>> {
    let mut last = None;
    for op in &unit.ops {
        match op {
            Op::Append(append) => {
                last = events::append(connection, append)?.or(last);
            }
            Op::Archive { tenant, stream } => {
                events::archive(connection, tenant.as_ref(), stream)?;
            }
            Op::Tombstone { tenant, stream } => {
                events::tombstone(connection, tenant.as_ref(), stream)?;
            }
            Op::Mask(mask) => events::mask(connection, mask)?,
            Op::Advance(advance) => events::advance(connection, advance)?,
            Op::Park(parked) => events::park(connection, parked)?,
            Op::Unpark(key) => events::unpark(connection, key)?,
            of_documents => documents(connection, known, of_documents, changes)?,
        }
    }
    Ok(last)
}

fn documents(connection: &Connection, known: &Known, op: &Op, changes: &mut Changes) -> Result<()> {
    let (schema, tenant, changed) = match op {
        Op::Put(document) => {
            let layout = known.get(&document.schema)?;
            put::put(connection, &layout, document)?;
            (&document.schema, &document.tenant, 1)
        }
        Op::PutVectors {
            schema,
            tenant,
            id,
            vectors,
        } => {
            let layout = known.get(schema)?;
            let document = vector::Document {
                schema,
                tenant: tenant.as_ref(),
                id,
            };
            // The text, which is what is counted, stays as it is.
            return vector::write_all(connection, &layout, document, vectors);
        }
        Op::Delete {
            schema,
            tenant,
            id,
            mode,
        } => {
            let layout = known.get(schema)?;
            let changed = delete(connection, &layout, tenant.as_ref(), id, *mode)?;
            (schema, tenant, changed)
        }
        Op::DeleteWhere {
            schema,
            tenant,
            filter,
            mode,
        } => {
            let layout = known.get(schema)?;
            let changed = delete_where(connection, &layout, tenant.as_ref(), filter, *mode)?;
            (schema, tenant, changed)
        }
        other => {
            return Err(Error::new(
                ErrorKind::Unsupported,
                format!("the SQLite store does not know the operation {other:?}"),
            ));
        }
    };
    count(changes, schema, tenant.as_ref(), changed);
    Ok(())
}

fn count(changes: &mut Changes, schema: &Schema, tenant: Option<&TenantId>, changed: u64) {
    if changed > 0 {
        let key = (schema.name().to_owned(), tenant_text(tenant).to_owned());
        *changes.entry(key).or_default() += changed;
    }
}

fn is_soft(layout: &Layout, mode: DeleteMode) -> bool {
    layout.schema.deletion() == Deletion::Soft && mode == DeleteMode::Declared
}

/// Deletes a document by id. What hangs on it goes with it by the table's triggers.
fn delete(
    connection: &Connection,
    layout: &Layout,
    tenant: Option<&TenantId>,
    id: &Id,
    mode: DeleteMode,
) -> Result<u64> {
    let documents = &layout.tables.documents;
    let id = encode_id(id);
    let key = (tenant_text(tenant), Bind(&id));
    let changed = if is_soft(layout, mode) {
        // Deleting twice keeps the first time (rule D4).
        let sql = format!(
            "UPDATE {documents} SET deleted = ?3 WHERE tenant = ?1 AND id = ?2 AND deleted IS NULL"
        );
        connection
            .prepare_cached(&sql)
            .and_then(|mut s| s.execute((key.0, key.1, Timestamp::now().to_string())))
    } else {
        let sql = format!("DELETE FROM {documents} WHERE tenant = ?1 AND id = ?2");
        connection
            .prepare_cached(&sql)
            .and_then(|mut s| s.execute(key))
    };
    changed.map(|changed| changed as u64).map_err(storage(Doing(
        "deleting a document of",
        layout.schema.name(),
    )))
}

fn delete_where(
    connection: &Connection,
    layout: &Layout,
    tenant: Option<&TenantId>,
    filter: &Expr,
    mode: DeleteMode,
) -> Result<u64> {
    let documents = &layout.tables.documents;
    let mut sql = Sql::new(&Dialect);
    if is_soft(layout, mode) {
        sql.push(format!("UPDATE {documents} AS d SET deleted = "))
            .bind(SqlValue::Text(Timestamp::now().to_string()));
    } else {
        sql.push(format!("DELETE FROM {documents} AS d"));
    }
    sql.push(" WHERE ");
    let tenant = tenant.cloned();
    let target = Target {
        schema: Arc::clone(&layout.schema),
        scope: Scope::live(ermine_core::Read::scope_of(&tenant)),
        filter: Some(filter.clone()),
    };
    push_target(&mut sql, &target)?;
    connection
        .prepare_cached(sql.text())
        .and_then(|mut statement| {
            bind_all(&mut statement, &sql)?;
            statement.raw_execute()
        })
        .map(|changed| changed as u64)
        .map_err(storage(Doing(
            "deleting documents of",
            layout.schema.name(),
        )))
}
