//! The indexes of vector fields, stored and declared.

use crate::{Declaration, Error, ErrorKind, Result, SchemaChange, SchemaMode, VectorIndex};

/// What changes in the indexes; refused where the mode forbids it. No document rests on
/// an index, so any change is possible.
pub(super) fn changes(
    stored: &Declaration,
    declared: &Declaration,
    mode: SchemaMode,
) -> Result<Vec<SchemaChange>> {
    let mut changes = Vec::new();
    for field in declared.schema.vectors() {
        let before = stored.schema.vectors().iter();
        let from = before
            .filter(|before| before.name() == field.name())
            .find_map(|before| before.index());
        let to = field.index();
        if from == to {
            continue;
        }
        if mode != SchemaMode::CreateOrUpdate {
            return Err(Error::new(
                ErrorKind::SchemaMismatch,
                format!(
                    "the index of vector field `{}` of `{}` is stored as {} and declared as {}, and the schema mode forbids to change it",
                    field.name(),
                    declared.schema.name(),
                    shown(from),
                    shown(to)
                ),
            ));
        }
        changes.push(SchemaChange::IndexDeclared {
            field: field.name().to_owned(),
            from,
            to,
        });
    }
    Ok(changes)
}

fn shown(index: Option<VectorIndex>) -> String {
    index.map_or_else(|| "none".to_owned(), |index| index.to_string())
}
