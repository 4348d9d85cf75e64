//! Making what is stored fit a declaration, or refusing (rule D7).

mod indexes;
mod progress;

use std::sync::Arc;

use ermine_core::{Declaration, Error, ErrorKind, Result, SchemaChange, SchemaMode, SchemaReport};
use tokio_postgres::Client;

use crate::catalog::{self, LOCK_TABLES};
use crate::error::{Doing, storage};
use crate::extension::Extension;
use crate::layout::Layout;
use crate::pool::Pool;
use crate::progress::Reporting;

/// What `ensure` found and did.
pub(crate) async fn ensure(
    pool: &Pool,
    extension: &Extension,
    declared: &Declaration,
    mode: SchemaMode,
    reporting: &Reporting,
) -> Result<(Layout, SchemaReport)> {
    let (layout, mut report) = tables(pool, extension, declared, mode).await?;
    if !layout.vectors.is_empty() {
        indexes::ensure(pool, &layout, mode, reporting, &mut report).await?;
    }
    Ok((layout, report))
}

async fn tables(
    pool: &Pool,
    extension: &Extension,
    declared: &Declaration,
    mode: SchemaMode,
) -> Result<(Layout, SchemaReport)> {
    declared.check_models()?;
    let lease = pool.get().await?;
    let client = lease.client()?;
    // Two processes that open at once take turns; who comes second finds it done.
    client
        .batch_execute(&format!("BEGIN; {LOCK_TABLES}"))
        .await
        .map_err(storage("locking the tables"))?;
    match in_transaction(client, extension, declared, mode).await {
        Ok(done) => {
            client
                .batch_execute("COMMIT")
                .await
                .map_err(storage(Doing("creating", declared.schema.name())))?;
            lease.give_back();
            Ok(done)
        }
        Err(error) => {
            // The error that came first is the one to tell.
            let _ = lease.roll_back().await;
            Err(error)
        }
    }
}

async fn in_transaction(
    client: &Client,
    extension: &Extension,
    declared: &Declaration,
    mode: SchemaMode,
) -> Result<(Layout, SchemaReport)> {
    let layout = Layout::new(Arc::clone(&declared.schema), extension)?;
    let mut report = SchemaReport::default();
    if !declared.schema.vectors().is_empty() {
        report.warnings.extend(extension.warning());
    }
    match catalog::declaration(client, declared.schema.name()).await? {
        None => report
            .changes
            .push(create(client, &layout, declared, mode).await?),
        Some(stored) => {
            let (merged, changes) = declared.in_place_of(&stored, mode)?;
            report.changes = changes;
            if mode == SchemaMode::CreateOrUpdate && merged != stored {
                catalog::store(client, &merged).await?;
            }
        }
    }
    Ok((layout, report))
}

async fn create(
    client: &Client,
    layout: &Layout,
    declared: &Declaration,
    mode: SchemaMode,
) -> Result<SchemaChange> {
    let schema = &declared.schema;
    if mode == SchemaMode::Assert {
        return Err(Error::new(
            ErrorKind::SchemaMismatch,
            format!(
                "`{schema}` is declared and not stored, and the schema mode forbids to create it"
            ),
        ));
    }
    let ddl = layout.create();
    client
        .batch_execute(&ddl.join(";\n"))
        .await
        .map_err(storage(Doing("creating the tables of", schema.name())))?;
    catalog::store(client, declared).await?;
    Ok(SchemaChange::Created { ddl })
}
