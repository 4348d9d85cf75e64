//! Making what is stored fit a declaration, or refusing (rule D7).

mod compare;

use std::sync::Arc;

use ermine_core::{
    Declaration, Error, ErrorKind, ModelIdentity, Result, Schema, SchemaChange, SchemaMode,
    SchemaReport,
};
use rusqlite::Connection;

use crate::catalog;
use crate::error::{Doing, storage};
use crate::layout::Layout;

/// What `ensure` found and did; runs in a transaction of the writer.
pub(crate) fn ensure(
    connection: &Connection,
    declared: &Declaration,
    mode: SchemaMode,
) -> Result<(Layout, SchemaReport)> {
    let schema = &declared.schema;
    check_models(declared)?;
    let Some(stored) = catalog::declaration(connection, schema.name())? else {
        return create(connection, declared, mode);
    };
    let mut report = SchemaReport::default();
    compare::schemas(&stored, declared)?;
    let merged = merge_models(&stored, declared, mode, &mut report)?;
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

/// A model per vector field, or `None`; and one whose vectors fit the field.
fn check_models(declared: &Declaration) -> Result<()> {
    let schema = &declared.schema;
    if declared.models.len() != schema.vectors().len() {
        return Err(Error::new(
            ErrorKind::Declaration,
            format!(
                "`{schema}` declares {} vector fields and models for {}",
                schema.vectors().len(),
                declared.models.len()
            ),
        ));
    }
    for (field, model) in schema.vectors().iter().zip(&declared.models) {
        if let Some(model) = model
            && model.dimensions != field.dimensions()
        {
            return Err(Error::new(
                ErrorKind::ModelMismatch,
                format!(
                    "`{schema}.{}` has {} dimensions, and its model {model} makes others",
                    field.name(),
                    field.dimensions()
                ),
            ));
        }
    }
    Ok(())
}

/// What is to be stored: the declaration, with the models stored before where it names none.
fn merge_models(
    stored: &Declaration,
    declared: &Declaration,
    mode: SchemaMode,
    report: &mut SchemaReport,
) -> Result<Declaration> {
    let name = declared.schema.name();
    let mut merged = declared.clone();
    for (field, model) in declared.schema.vectors().iter().zip(&mut merged.models) {
        let before = stored_model(stored, field.name());
        match (before, &model) {
            (before, None) => *model = before.cloned(),
            (Some(old), Some(new)) if old == new => {}
            (Some(old), Some(new)) => {
                return Err(Error::new(
                    ErrorKind::ModelMismatch,
                    format!(
                        "the vectors of `{name}.{}` were made by {old}, and {new} is declared; open with the former, or embed again",
                        field.name()
                    ),
                ));
            }
            (None, Some(_)) if mode == SchemaMode::CreateOrUpdate => {
                report.changes.push(SchemaChange::ModelRecorded {
                    field: field.name().to_owned(),
                });
            }
            (None, Some(new)) => {
                return Err(Error::new(
                    ErrorKind::ModelMismatch,
                    format!(
                        "`{name}.{}` has no model stored, {new} is declared, and the schema mode forbids to record it",
                        field.name()
                    ),
                ));
            }
        }
    }
    Ok(merged)
}

fn stored_model<'a>(stored: &'a Declaration, field: &str) -> Option<&'a ModelIdentity> {
    let at = stored
        .schema
        .vectors()
        .iter()
        .position(|f| f.name() == field)?;
    stored.models.get(at)?.as_ref()
}
