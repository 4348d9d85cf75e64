//! A unit's operations, gathered into runs that are each written at once.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use ermine_core::{
    DeleteMode, Deletion, Error, ErrorKind, Expr, Id, Op, Put, Result, Scope, Target, TenantId,
    Timestamp, Unit, VectorWrite,
};
use ermine_sql::{Postgres as Dialect, Sql, SqlValue, push_target};
use tokio_postgres::types::Type;

use super::events::is_of_events;
use super::statement::Statement;
use crate::bind::tenant_text;
use crate::layout::{Known, Layout};

/// The most documents that are written at once.
const LARGEST: usize = 1_000;

/// How many ids are locked one by one, and not by their type as a whole: the server has
/// room for so many locks only.
const LOCKED_SINGLY: usize = 64;

/// Operations that follow each other and do not depend on each other.
pub(super) struct Run<'u> {
    pub(super) layout: Arc<Layout>,
    pub(super) tenant: Option<&'u TenantId>,
    pub(super) work: Work<'u>,
}

pub(super) enum Work<'u> {
    /// Documents of different ids.
    Puts(Vec<&'u Put>),
    /// Deletions by id.
    Deletes(Vec<&'u Id>, DeleteMode),
    DeleteWhere(&'u Expr, DeleteMode),
    /// Vectors of documents of different ids.
    Vectors(Vec<VectorsOf<'u>>),
}

/// What happens to the vectors of a document.
pub(super) struct VectorsOf<'u> {
    pub(super) id: &'u Id,
    pub(super) writes: &'u [VectorWrite],
}

/// The runs of a unit, in order.
pub(super) fn of<'u>(known: &Known, unit: &'u Unit) -> Result<Vec<Run<'u>>> {
    let mut runs: Vec<Run<'u>> = Vec::new();
    let mut ids: HashSet<&'u Id> = HashSet::new();
    // Events are in tables of their own: their order among documents says nothing.
    for op in unit.ops.iter().filter(|op| !is_of_events(op)) {
        let (schema, tenant) = match op {
            Op::Put(put) => (&put.schema, put.tenant.as_ref()),
            Op::Delete { schema, tenant, .. }
            | Op::DeleteWhere { schema, tenant, .. }
            | Op::PutVectors { schema, tenant, .. } => (schema, tenant.as_ref()),
            other => {
                return Err(Error::new(
                    ErrorKind::Unsupported,
                    format!("the PostgreSQL store does not know the operation {other:?}"),
                ));
            }
        };
        let last = runs
            .last_mut()
            .filter(|run| run.tenant == tenant && run.layout.schema == *schema);
        match (op, last.map(|run| &mut run.work)) {
            (Op::Put(put), Some(Work::Puts(puts)))
                if puts.len() < LARGEST && ids.insert(&put.id) =>
            {
                puts.push(put);
                continue;
            }
            (Op::Delete { id, mode, .. }, Some(Work::Deletes(deletes, same))) if mode == same => {
                deletes.push(id);
                continue;
            }
            (Op::PutVectors { id, vectors, .. }, Some(Work::Vectors(all)))
                if all.len() < LARGEST && ids.insert(id) =>
            {
                all.push(VectorsOf {
                    id,
                    writes: vectors,
                });
                continue;
            }
            _ => {}
        }
        ids.clear();
        let work = match op {
            Op::Put(put) => {
                ids.insert(&put.id);
                Work::Puts(vec![put])
            }
            Op::Delete { id, mode, .. } => Work::Deletes(vec![id], *mode),
            Op::DeleteWhere { filter, mode, .. } => Work::DeleteWhere(filter, *mode),
            Op::PutVectors { id, vectors, .. } => {
                ids.insert(id);
                Work::Vectors(vec![VectorsOf {
                    id,
                    writes: vectors,
                }])
            }
            _ => continue,
        };
        runs.push(Run {
            layout: known.get(schema)?,
            tenant,
            work,
        });
    }
    Ok(runs)
}

/// Locks everything that several runs name, in one order for all units: first the ids,
/// of which there may be no document yet, then the documents, type by type, tenant by
/// tenant and id by id.
pub(super) fn locks<'r>(runs: &'r [Run<'_>]) -> Vec<Statement<'r>> {
    let mut named: BTreeMap<(&str, &str), (&Layout, BTreeSet<&Id>)> = BTreeMap::new();
    for run in runs {
        let ids: Vec<&Id> = match &run.work {
            Work::Puts(puts) => puts.iter().map(|put| &put.id).collect(),
            Work::Deletes(ids, _) => ids.clone(),
            Work::Vectors(all) => all.iter().map(|one| one.id).collect(),
            Work::DeleteWhere(..) => continue,
        };
        let place = (run.layout.schema.name(), tenant_text(run.tenant));
        let entry = named
            .entry(place)
            .or_insert_with(|| (&run.layout, BTreeSet::new()));
        entry.1.extend(ids);
    }
    let mut names: Vec<String> = Vec::new();
    for ((name, tenant), (_, ids)) in &named {
        names.extend(ids.iter().map(|id| format!("{name} {tenant} {id}")));
    }
    if names.len() > LOCKED_SINGLY {
        names = named.keys().map(|(name, _)| (*name).to_owned()).collect();
    }
    let by_name = Statement::new(
        "SELECT pg_advisory_xact_lock(s.key) FROM (
           SELECT DISTINCT hashtextextended('ermine writing ' || coalesce(current_schema(), '') || u.name, 0) AS key
           FROM unnest($1) AS u (name) ORDER BY key) AS s",
    );
    let by_row = named
        .into_iter()
        .map(|((_, tenant), (layout, ids))| lock(layout, tenant, ids));
    std::iter::once(by_name.bind(names, Type::TEXT_ARRAY))
        .chain(by_row)
        .collect()
}

/// Locks documents of a tenant by their ids.
pub(super) fn lock<'r>(
    layout: &'r Layout,
    tenant: &'r str,
    ids: impl IntoIterator<Item = &'r Id>,
) -> Statement<'r> {
    Statement::new(layout.lock.as_str())
        .bind(tenant, Type::TEXT)
        .bind_ids(layout, ids)
}

/// What deletes, by id or by filter. What hangs on a document goes with it by the
/// table's triggers.
pub(super) fn deletion<'r>(run: &'r Run<'_>) -> Result<Option<Statement<'r>>> {
    let layout = &run.layout;
    let documents = &layout.tables.documents;
    let mut sql = Sql::new(&Dialect);
    let mode = match &run.work {
        Work::Puts(_) | Work::Vectors(_) => return Ok(None),
        Work::Deletes(_, mode) | Work::DeleteWhere(_, mode) => *mode,
    };
    let is_soft = layout.schema.deletion() == Deletion::Soft && mode == DeleteMode::Declared;
    if is_soft {
        sql.push(format!("UPDATE {documents} AS d SET deleted = "))
            .bind(SqlValue::Timestamp(Timestamp::now()))
            .push(" WHERE ");
    } else {
        sql.push(format!("DELETE FROM {documents} AS d WHERE "));
    }
    let statement = match &run.work {
        Work::Deletes(ids, _) => {
            let tenant = tenant_text(run.tenant).to_owned();
            sql.push("d.tenant = ").bind(SqlValue::Text(tenant));
            sql.push(format!(" AND d.id = ANY(${})", sql.values().len() + 1));
            if is_soft {
                // Deleting twice keeps the first time (rule D4).
                sql.push(" AND d.deleted IS NULL");
            }
            Statement::of(sql).bind_ids(layout, ids.iter().copied())
        }
        Work::DeleteWhere(filter, _) => {
            let target = Target {
                schema: Arc::clone(&layout.schema),
                scope: Scope::live(ermine_core::Read::scope_of(&run.tenant.cloned())),
                filter: Some((*filter).clone()),
            };
            push_target(&mut sql, &target)?;
            Statement::of(sql)
        }
        Work::Puts(_) | Work::Vectors(_) => return Ok(None),
    };
    Ok(Some(statement))
}
