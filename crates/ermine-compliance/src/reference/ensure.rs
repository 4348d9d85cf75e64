//! Comparing what is declared with what is stored (rule D7).

use std::collections::BTreeMap;

use ermine_core::{
    Declaration, Error, ErrorKind, Result, Schema, SchemaChange, SchemaMode, SchemaReport,
};

use super::state::{Collection, State};

impl State {
    pub(super) fn ensure(
        &mut self,
        declared: &Declaration,
        mode: SchemaMode,
    ) -> Result<SchemaReport> {
        let name = declared.schema.name();
        let mut report = SchemaReport::default();
        let Some(collection) = self.collections.get_mut(name) else {
            if mode == SchemaMode::Assert {
                return Err(Error::new(
                    ErrorKind::SchemaMismatch,
                    format!(
                        "`{name}` is declared and not stored, and the schema mode forbids to create it"
                    ),
                ));
            }
            let created = Collection {
                declaration: declared.clone(),
                documents: BTreeMap::new(),
            };
            self.collections.insert(name.to_owned(), created);
            report.changes.push(SchemaChange::Created {
                ddl: vec![format!("create `{name}`")],
            });
            return Ok(report);
        };
        let stored = &mut collection.declaration;
        differences(&stored.schema, &declared.schema)?;
        compare(name, "analyser", &stored.analyzer, &declared.analyzer)?;
        let fields = declared.schema.vectors();
        for ((field, stored), declared) in
            fields.iter().zip(&mut stored.models).zip(&declared.models)
        {
            match (&stored, declared) {
                (_, None) => {}
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
                    stored.clone_from(declared);
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
        // What is left to differ is read by searches only: the weights of text fields.
        stored.schema.clone_from(&declared.schema);
        Ok(report)
    }
}

/// Refuses the first thing in which the two differ, naming both.
fn differences(stored: &Schema, declared: &Schema) -> Result<()> {
    let name = declared.name();
    compare(name, "name of the id", stored.id_name(), declared.id_name())?;
    compare(
        name,
        "type of the id",
        &stored.id_type(),
        &declared.id_type(),
    )?;
    compare(name, "tenancy", &stored.tenancy(), &declared.tenancy())?;
    compare(name, "deletion", &stored.deletion(), &declared.deletion())?;
    compare(name, "language", stored.language(), declared.language())?;
    compare(
        name,
        "list of indexed fields",
        stored.columns(),
        declared.columns(),
    )?;
    let texts = |schema: &Schema| -> Vec<String> {
        schema.text().iter().map(|t| t.name().to_owned()).collect()
    };
    compare(
        name,
        "list of text fields",
        &texts(stored),
        &texts(declared),
    )?;
    compare(
        name,
        "list of vector fields",
        stored.vectors(),
        declared.vectors(),
    )
}

fn compare<T: PartialEq + std::fmt::Debug + ?Sized>(
    name: &str,
    what: &str,
    stored: &T,
    declared: &T,
) -> Result<()> {
    if stored == declared {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::SchemaMismatch,
        format!(
            "the {what} of `{name}` is stored as {stored:?} and declared as {declared:?}; nothing was changed"
        ),
    ))
}
