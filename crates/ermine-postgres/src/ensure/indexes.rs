//! Building the indexes of vector fields over rows that are in use.

use std::time::Duration;

use ermine_core::{Error, ErrorKind, Result, SchemaChange, SchemaMode, SchemaReport};
use ermine_sql::quote;
use tokio_postgres::Client;
use tokio_postgres::types::Type;

use super::progress;
use crate::error::{Doing, storage};
use crate::layout::{Building, HnswIndex, Layout, VectorTable};
use crate::pool::Pool;
use crate::progress::Reporting;

/// Lets one process at a time build in this schema. Trying is all that is done: one
/// that waited in a statement would be waited for by the build itself.
const TRY_TO_LOCK: &str = "SELECT pg_try_advisory_lock(hashtextextended('ermine indexes ' || coalesce(current_schema(), ''), 0))";

const UNLOCK: &str = "SELECT pg_advisory_unlock(hashtextextended('ermine indexes ' || coalesce(current_schema(), ''), 0))";

/// How long before it is tried again.
const PAUSE: Duration = Duration::from_millis(100);

/// Makes the indexes of a type's vector fields what is declared, outside any
/// transaction: one that is missing, that a build left unfinished, or that has other
/// parameters is built beside readers and writers. One that is not declared is warned of.
pub(super) async fn ensure(
    pool: &Pool,
    layout: &Layout,
    mode: SchemaMode,
    reporting: &Reporting,
    report: &mut SchemaReport,
) -> Result<()> {
    let lease = pool.get().await?;
    let client = lease.client()?;
    let mut due = Vec::new();
    for (table, field) in layout.vectors.iter().zip(layout.schema.vectors()) {
        let found = indexes_of(client, table).await?;
        match &table.index {
            Some(Ok(index)) if is_done(index, &found) => {}
            Some(Ok(index)) => due.push((table, index, field.name())),
            Some(Err(why)) => report.warnings.push(why.clone()),
            None => {
                let name = HnswIndex::name(&layout.schema, field);
                if found.iter().any(|found| found.name == name) {
                    report.warnings.push(format!(
                        "the index {name} of `{}.{}` is not declared, and stays, which writes pay for; `DROP INDEX CONCURRENTLY {name}` removes it",
                        layout.schema,
                        field.name()
                    ));
                }
            }
        }
    }
    let Some((_, _, field)) = due.first() else {
        lease.give_back();
        return Ok(());
    };
    if mode != SchemaMode::CreateOrUpdate {
        return Err(Error::new(
            ErrorKind::SchemaMismatch,
            format!(
                "the index of `{}.{field}` is declared, and in the database it is missing, unfinished or another; the schema mode forbids to build it",
                layout.schema
            ),
        ));
    }
    let failed = || storage(Doing("building an index of", layout.schema.name()));
    // A build takes as long as it takes.
    client
        .batch_execute("SET statement_timeout = 0; SET lock_timeout = 0")
        .await
        .map_err(failed())?;
    while !is_locked(client).await.map_err(failed())? {
        tokio::time::sleep(PAUSE).await;
    }
    for (table, index, field) in due {
        // Somebody else may have built it meanwhile.
        let found = indexes_of(client, table).await?;
        let ddl = statements(index, &found);
        if ddl.is_empty() {
            continue;
        }
        let building = async {
            for sql in &ddl {
                client.batch_execute(sql).await.map_err(failed())?;
            }
            Ok(())
        };
        progress::beside(pool, client, building, reporting, &layout.schema, field).await?;
        report.changes.push(SchemaChange::IndexBuilt {
            field: field.to_owned(),
            ddl,
        });
    }
    client
        .batch_execute(&format!(
            "{UNLOCK}; RESET statement_timeout; RESET lock_timeout"
        ))
        .await
        .map_err(failed())?;
    lease.give_back();
    Ok(())
}

async fn is_locked(client: &Client) -> std::result::Result<bool, tokio_postgres::Error> {
    let rows = client.query_typed(TRY_TO_LOCK, &[]).await?;
    rows.first().map_or(Ok(false), |row| row.try_get(0))
}

/// An index that the database has.
struct Found {
    /// Its name, quoted.
    name: String,
    /// Whether its build came to an end.
    is_whole: bool,
    class: String,
    parameters: Vec<String>,
}

impl Found {
    fn is(&self, index: &HnswIndex) -> bool {
        self.is_whole
            && self.class == index.class
            && self.parameters.len() == index.parameters.len()
            && index.parameters.iter().all(|p| self.parameters.contains(p))
    }
}

async fn indexes_of(client: &Client, table: &VectorTable) -> Result<Vec<Found>> {
    let reading = || storage("reading which indexes there are");
    let rows = client
        .query_typed(
            "SELECT c.relname::text, x.indisvalid AND x.indisready AND x.indislive, o.opcname::text, coalesce(c.reloptions, '{}')
             FROM pg_index AS x JOIN pg_class AS c ON c.oid = x.indexrelid
             JOIN pg_opclass AS o ON o.oid = x.indclass[0]
             WHERE x.indrelid = to_regclass($1)",
            &[(&table.table, Type::TEXT)],
        )
        .await
        .map_err(reading())?;
    let found = |row: &tokio_postgres::Row| {
        Ok(Found {
            name: quote(row.try_get::<_, &str>(0)?),
            is_whole: row.try_get(1)?,
            class: row.try_get(2)?,
            parameters: row.try_get(3)?,
        })
    };
    let found: std::result::Result<_, tokio_postgres::Error> = rows.iter().map(found).collect();
    found.map_err(reading())
}

fn is_done(index: &HnswIndex, found: &[Found]) -> bool {
    statements(index, found).is_empty()
}

/// What is to be done, one statement after the other, each outside a transaction. Cut
/// off anywhere, what is left is found by the next open, which begins from there.
fn statements(index: &HnswIndex, found: &[Found]) -> Vec<String> {
    let called = |name: &str| found.iter().find(|found| found.name == name);
    let drop = |name: &str| format!("DROP INDEX CONCURRENTLY {name}");
    let build = |name: &str| index.build(name, Building::Concurrently);
    let HnswIndex { name, next, .. } = index;
    let mut ddl = Vec::new();
    if let Some((outside, sql)) = index.outside(Building::Concurrently) {
        match called(outside) {
            Some(found) if found.is_whole => {}
            Some(_) => ddl.extend([drop(outside), sql]),
            None => ddl.push(sql),
        }
    }
    let old = called(name);
    if old.is_some_and(|old| old.is(index)) {
        ddl.extend(called(next).map(|_| drop(next)));
        return ddl;
    }
    let ready = called(next).is_some_and(|found| found.is(index));
    if !ready {
        ddl.extend(called(next).map(|_| drop(next)));
    }
    match old {
        // The old one serves until the new one does.
        Some(old) if old.is_whole => {
            if !ready {
                ddl.push(build(next));
            }
            ddl.push(drop(name));
        }
        unfinished => {
            ddl.extend(unfinished.map(|_| drop(name)));
            if !ready {
                ddl.push(build(name));
                return ddl;
            }
        }
    }
    ddl.push(format!("ALTER INDEX {next} RENAME TO {name}"));
    ddl
}
