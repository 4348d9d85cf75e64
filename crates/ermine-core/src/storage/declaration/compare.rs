//! What a stored and a declared type must have in common.

use std::collections::BTreeMap;
use std::fmt::Debug;

use crate::{Declaration, Error, ErrorKind, Result};

/// Refuses the first thing in which the two differ, naming both.
///
/// What nothing stored rests on may differ: the order of indexed and of vector
/// fields, the weights of text fields, and the analyser where there are none.
pub(super) fn schemas(stored: &Declaration, declared: &Declaration) -> Result<()> {
    let (old, new) = (&stored.schema, &declared.schema);
    let name = new.name();
    same(name, "name of the id", &old.id_name(), &new.id_name())?;
    same(name, "type of the id", &old.id_type(), &new.id_type())?;
    same(name, "tenancy", &old.tenancy(), &new.tenancy())?;
    same(name, "deletion", &old.deletion(), &new.deletion())?;
    same(name, "language", &old.language(), &new.language())?;

    fields(
        name,
        "indexed field",
        old.columns().iter().map(|c| (c.name(), c.column_type())),
        new.columns().iter().map(|c| (c.name(), c.column_type())),
    )?;
    fields(
        name,
        "text field",
        old.text().iter().map(|t| (t.name(), ())),
        new.text().iter().map(|t| (t.name(), ())),
    )?;
    let texts = |schema: &crate::Schema| -> Vec<String> {
        schema.text().iter().map(|t| t.name().to_owned()).collect()
    };
    same(name, "order of text fields", &texts(old), &texts(new))?;
    fields(
        name,
        "vector field",
        old.vectors().iter().map(|v| (v.name(), ())),
        new.vectors().iter().map(|v| (v.name(), ())),
    )?;
    for field in new.vectors() {
        let Some(before) = old.vectors().iter().find(|v| v.name() == field.name()) else {
            continue;
        };
        let what = |property: &str| format!("{property} of vector field `{}`", field.name());
        same(
            name,
            &what("number of dimensions"),
            &before.dimensions(),
            &field.dimensions(),
        )?;
        same(name, &what("metric"), &before.metric(), &field.metric())?;
        same(
            name,
            &what("element type"),
            &before.element(),
            &field.element(),
        )?;
        same(name, &what("source text"), &before.from(), &field.from())?;
    }
    if new.text().is_empty() {
        // Nothing was analysed.
        return Ok(());
    }
    same(name, "analyser", &stored.analyzer, &declared.analyzer)
}

/// Compares fields by name, each with what is stored of it.
fn fields<'a, T: PartialEq + Debug>(
    name: &str,
    what: &str,
    stored: impl Iterator<Item = (&'a str, T)>,
    declared: impl Iterator<Item = (&'a str, T)>,
) -> Result<()> {
    let mut stored: BTreeMap<&str, T> = stored.collect();
    for (field, new) in declared {
        match stored.remove(field) {
            Some(old) => same(name, &format!("type of {what} `{field}`"), &old, &new)?,
            None => {
                return Err(mismatch(format!(
                    "the {what} `{field}` of `{name}` is declared and not stored; adding a field to a stored type is not possible in this version: declare another type and store its documents anew. Nothing was changed"
                )));
            }
        }
    }
    match stored.into_keys().next() {
        None => Ok(()),
        Some(field) => Err(mismatch(format!(
            "the {what} `{field}` of `{name}` is stored and not declared; declare it, since nothing is dropped unasked. Nothing was changed"
        ))),
    }
}

fn same<T: PartialEq + Debug>(name: &str, what: &str, stored: &T, declared: &T) -> Result<()> {
    if stored == declared {
        return Ok(());
    }
    Err(mismatch(format!(
        "the {what} of `{name}` is stored as {stored:?} and declared as {declared:?}. Nothing was changed; declare what is stored, or use another type"
    )))
}

fn mismatch(message: String) -> Error {
    Error::new(ErrorKind::SchemaMismatch, message)
}
