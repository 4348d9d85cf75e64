//! What a collection made by an import looks like.

use ermine::text::Language;
use ermine_core::{ColumnType, Declaration, IdType, Metric, ScalarType, Schema};

use crate::arguments::FieldSpec;
use crate::failure::Failure;
use crate::suggest::list;

/// The names every imported collection has.
pub(crate) mod field {
    pub(crate) const ID: &str = "id";
    pub(crate) const FILE: &str = "file";
    pub(crate) const PLACE: &str = "place";
    pub(crate) const LINE: &str = "line";
    pub(crate) const TITLE: &str = "title";
    pub(crate) const HEADING: &str = "heading";
    pub(crate) const BODY: &str = "body";
    pub(crate) const EMBEDDING: &str = "embedding";
}

/// The names a `--field` cannot take.
pub(crate) const RESERVED: [&str; 8] = [
    field::ID,
    field::FILE,
    field::PLACE,
    field::LINE,
    field::TITLE,
    field::HEADING,
    field::BODY,
    field::EMBEDDING,
];

/// The length of the bundled model's vectors.
pub(crate) const DIMENSIONS: usize = 256;

/// The language of a collection for which none is given.
const LANGUAGE: Language = Language::English;

/// The schema of a new collection.
///
/// `title` and `heading` filter and are searched; an occurrence in the title
/// counts three times, one in the headings twice.
fn new(
    collection: &str,
    language: Option<Language>,
    fields: &[FieldSpec],
) -> Result<Schema, Failure> {
    let mut builder = Schema::builder(collection, field::ID, IdType::Text)
        .column(field::FILE, ColumnType::Scalar(ScalarType::Text))
        .column(field::PLACE, ColumnType::Scalar(ScalarType::I64))
        .column(field::LINE, ColumnType::Scalar(ScalarType::I64))
        .column(field::TITLE, ColumnType::Scalar(ScalarType::Text))
        .column(field::HEADING, ColumnType::Scalar(ScalarType::Text));
    for spec in fields {
        builder = builder.column(&spec.name, spec.column_type);
    }
    let schema = builder
        .text(field::TITLE, 3.0)
        .text(field::HEADING, 2.0)
        .text(field::BODY, 1.0)
        .language(language.unwrap_or(LANGUAGE).as_str())
        .vector_from(
            field::EMBEDDING,
            DIMENSIONS,
            Metric::Cosine,
            [field::TITLE, field::HEADING, field::BODY],
        )
        .build()?;
    Ok(schema)
}

/// The schema to import with: the stored one where it has all that is wanted.
pub(crate) fn for_import(
    stored: &[Declaration],
    collection: &str,
    language: Option<Language>,
    fields: &[FieldSpec],
) -> Result<Schema, Failure> {
    let wanted = new(collection, language, fields)?;
    let Some(stored) = stored.iter().find(|d| d.schema.name() == collection) else {
        return Ok(wanted);
    };
    let stored = &stored.schema;
    let elsewhere = "import into another collection with --collection NAME";
    let made_by_import = stored.id_type() == wanted.id_type()
        && stored.id_name() == wanted.id_name()
        && stored.tenancy() == wanted.tenancy()
        && stored.text() == wanted.text()
        && stored.vectors() == wanted.vectors();
    if !made_by_import {
        return Err(Failure::new(format!(
            "`{collection}` was not made by importing files and has other fields; {elsewhere}"
        )));
    }
    if language.is_some() && stored.language() != wanted.language() {
        return Err(Failure::new(format!(
            "`{collection}` is analysed as {}, not as {}; leave --language out, or {elsewhere}",
            stored.language(),
            wanted.language()
        )));
    }
    let has = |column| stored.columns().contains(column);
    let missing: Vec<_> = wanted.columns().iter().filter(|c| !has(c)).collect();
    if !missing.is_empty() {
        let named: Vec<String> = missing
            .iter()
            .map(|c| format!("{}:{}", c.name(), c.column_type()))
            .collect();
        return Err(Failure::new(format!(
            "`{collection}` exists without the field {}; {elsewhere}",
            list(named.iter().map(String::as_str))
        )));
    }
    Ok(stored.as_ref().clone())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn fields(specs: &[&str]) -> Vec<FieldSpec> {
        specs.iter().map(|spec| spec.parse().unwrap()).collect()
    }

    fn stored(schema: Schema) -> Vec<Declaration> {
        vec![Declaration {
            schema: Arc::new(schema),
            analyzer: String::new(),
            models: vec![None],
        }]
    }

    #[test]
    fn a_stored_schema_with_more_fields_is_taken_as_it_is() {
        let with_year = new("documents", Some(Language::None), &fields(&["year:int"])).unwrap();
        let taken = for_import(&stored(with_year.clone()), "documents", None, &[]).unwrap();
        assert_eq!(taken, with_year);
        let other = for_import(&stored(with_year), "notes", None, &[]).unwrap();
        assert_eq!(other.language(), "english");
    }

    #[test]
    fn what_the_stored_schema_lacks_is_refused_by_name() {
        let plain = new("documents", None, &[]).unwrap();
        let refused = |stored: Schema, language, specs: &[&str]| {
            let stored = self::stored(stored);
            let refused = for_import(&stored, "documents", language, &fields(specs));
            refused.unwrap_err().to_string()
        };
        let year = refused(plain.clone(), None, &["year:int"]);
        assert!(year.contains("`year:i64`"), "{year}");
        let language = refused(plain, Some(Language::None), &[]);
        assert!(language.contains("english, not as none"), "{language}");
        let foreign = Schema::builder("documents", "id", IdType::Uuid)
            .build()
            .unwrap();
        assert!(refused(foreign, None, &[]).contains("not made by importing files"));
    }
}
