//! Making what is stored fit a declaration, or refusing (rule D7).

use std::sync::Arc;

use ermine_core::{
    Declaration, Error, ErrorKind, Result, Schema, SchemaChange, SchemaMode, SchemaReport,
};
use rusqlite::Connection;

use crate::error::{Doing, storage};
use crate::layout::Layout;
use crate::{catalog, events};

/// What `ensure` found and did; runs in a transaction of the writer.
pub(crate) fn ensure(
    connection: &Connection,
    declared: &Declaration,
    mode: SchemaMode,
) -> Result<(Layout, SchemaReport)> {
    let schema = &declared.schema;
    declared.check_models()?;
    if mode != SchemaMode::Assert {
        events::create_missing(connection)?;
    }
    let Some(stored) = catalog::declaration(connection, schema.name())? else {
        return create(connection, declared, mode);
    };
    let mut report = SchemaReport::default();
    let (merged, changes) = declared.in_place_of(&stored, mode)?;
    report.changes = changes;
    if mode == SchemaMode::CreateOrUpdate && merged != stored {
        catalog::store(connection, &merged)?;
    }
    Ok((layout(connection, schema)?, report))
}

fn create(
    connection: &Connection,
    declared: &Declaration,
    mode: SchemaMode,
) -> Result<(Layout, SchemaReport)> {
    let schema = &declared.schema;
    if mode == SchemaMode::Assert {
        return Err(Error::new(
            ErrorKind::SchemaMismatch,
            format!(
                "`{schema}` is declared and not stored, and the schema mode forbids to create it"
            ),
        ));
    }
    let layout = layout(connection, schema)?;
    let ddl = layout.create();
    for statement in &ddl {
        connection
            .execute_batch(statement)
            .map_err(storage(Doing("creating the tables of", schema.name())))?;
    }
    catalog::store(connection, declared)?;
    let mut report = SchemaReport::default();
    report.changes.push(SchemaChange::Created { ddl });
    Ok((layout, report))
}

fn layout(connection: &Connection, schema: &Arc<Schema>) -> Result<Layout> {
    let indexes = schema
        .vectors()
        .iter()
        .map(|field| catalog::vector_field(connection, schema.name(), field.name()))
        .collect::<Result<Vec<_>>>()?;
    Ok(Layout::new(Arc::clone(schema), &indexes))
}
