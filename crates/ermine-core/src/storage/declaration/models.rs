//! The models of vector fields, stored and declared.

use crate::{Declaration, Error, ErrorKind, ModelIdentity, Result, SchemaChange, SchemaMode};

/// A model per vector field, or `None`; and one whose vectors fit the field.
pub(super) fn check(declared: &Declaration) -> Result<()> {
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
pub(super) fn merge(
    stored: &Declaration,
    declared: &Declaration,
    mode: SchemaMode,
) -> Result<(Declaration, Vec<SchemaChange>)> {
    let name = declared.schema.name();
    let mut merged = declared.clone();
    let mut changes = Vec::new();
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
                changes.push(SchemaChange::ModelRecorded {
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
    Ok((merged, changes))
}

fn stored_model<'a>(stored: &'a Declaration, field: &str) -> Option<&'a ModelIdentity> {
    let at = stored
        .schema
        .vectors()
        .iter()
        .position(|f| f.name() == field)?;
    stored.models.get(at)?.as_ref()
}
