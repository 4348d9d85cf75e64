//! Comparing what is declared with what is stored (rule D7).

use std::collections::BTreeMap;
use std::fmt::Debug;

use ermine_core::{
    ColumnType, Declaration, Error, ErrorKind, ModelIdentity, Result, Schema, SchemaChange,
    SchemaMode, SchemaReport, TextFieldSchema, VectorFieldSchema, VectorIndex,
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
        let mut merged = declared.clone();
        report.changes = index_changes(&stored.schema, &declared.schema, mode)?;
        let old_models = by_name(stored);
        for (field, new) in declared.schema.vectors().iter().zip(&mut merged.models) {
            let field = field.name();
            let old = old_models.get(field).cloned().flatten();
            match (old, &new) {
                (old, None) => *new = old,
                (Some(old), Some(new)) if old == *new => {}
                (Some(old), Some(new)) => {
                    return Err(Error::new(
                        ErrorKind::ModelMismatch,
                        format!(
                            "the vectors of `{name}.{field}` were made by {old}, and {new} is declared; open with the former, or embed again"
                        ),
                    ));
                }
                (None, Some(_)) if mode == SchemaMode::CreateOrUpdate => {
                    report.changes.push(SchemaChange::ModelRecorded {
                        field: field.to_owned(),
                    });
                }
                (None, Some(new)) => {
                    return Err(Error::new(
                        ErrorKind::ModelMismatch,
                        format!(
                            "`{name}.{field}` has no model stored, {new} is declared, and the schema mode forbids to record it"
                        ),
                    ));
                }
            }
        }
        if mode == SchemaMode::CreateOrUpdate {
            *stored = merged;
        }
        Ok(report)
    }
}

fn by_name(declaration: &Declaration) -> BTreeMap<&str, Option<ModelIdentity>> {
    let fields = declaration.schema.vectors().iter();
    let models = declaration.models.iter().cloned();
    fields.map(VectorFieldSchema::name).zip(models).collect()
}

/// Refuses the first thing in which the two differ, naming both. Nothing stored
/// rests on the order of indexed and of vector fields and on the weights of text
/// fields, so these may differ.
pub(super) fn differences(stored: &Schema, declared: &Schema) -> Result<()> {
    let name = declared.name();
    let same = |what, stored: &dyn Debug, declared: &dyn Debug| {
        compare(name, what, &format!("{stored:?}"), &format!("{declared:?}"))
    };
    same("name of the id", &stored.id_name(), &declared.id_name())?;
    same("type of the id", &stored.id_type(), &declared.id_type())?;
    same("tenancy", &stored.tenancy(), &declared.tenancy())?;
    same("deletion", &stored.deletion(), &declared.deletion())?;
    same("language", &stored.language(), &declared.language())?;
    let (old, new) = (columns(stored), columns(declared));
    same("set of indexed fields", &old, &new)?;
    let (old, new) = (texts(stored), texts(declared));
    same("list of text fields", &old, &new)?;
    let (old, new) = (vectors(stored), vectors(declared));
    same("set of vector fields", &old, &new)
}

fn columns(schema: &Schema) -> BTreeMap<&str, ColumnType> {
    let columns = schema.columns().iter();
    columns.map(|c| (c.name(), c.column_type())).collect()
}

fn texts(schema: &Schema) -> Vec<&str> {
    schema.text().iter().map(TextFieldSchema::name).collect()
}

/// What stored vectors rest on: neither an index nor what searches are by default is.
fn vectors(schema: &Schema) -> BTreeMap<&str, impl Debug> {
    let rest = |v: &VectorFieldSchema| {
        let from = v.from().map(<[String]>::to_vec);
        (v.dimensions(), v.metric(), v.element(), from)
    };
    let vectors = schema.vectors().iter();
    vectors.map(|v| (v.name(), rest(v))).collect()
}

/// The indexes that are declared otherwise than before, where that is allowed.
fn index_changes(
    stored: &Schema,
    declared: &Schema,
    mode: SchemaMode,
) -> Result<Vec<SchemaChange>> {
    let name = declared.name();
    let indexes = |schema: &Schema| -> BTreeMap<String, Option<VectorIndex>> {
        let fields = schema.vectors().iter();
        fields.map(|f| (f.name().to_owned(), f.index())).collect()
    };
    let old = indexes(stored);
    let mut changes = Vec::new();
    for (field, to) in indexes(declared) {
        let from = old.get(&field).copied().flatten();
        if from == to {
            continue;
        }
        if mode != SchemaMode::CreateOrUpdate {
            let what = format!("index of `{field}`");
            let shown = |index: Option<VectorIndex>| match index {
                Some(index) => index.to_string(),
                None => "none".to_owned(),
            };
            compare(name, &what, &shown(from), &shown(to))?;
        }
        changes.push(SchemaChange::IndexDeclared { field, from, to });
    }
    Ok(changes)
}

fn compare(name: &str, what: &str, stored: &str, declared: &str) -> Result<()> {
    if stored == declared {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::SchemaMismatch,
        format!(
            "the {what} of `{name}` is stored as {stored} and declared as {declared}; nothing was changed"
        ),
    ))
}
