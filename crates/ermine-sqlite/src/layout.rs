//! The tables of one document type: their names, and the statements that create them.

mod text;
mod triggers;
mod vectors;

use std::sync::Arc;

use ermine_core::Schema;
use ermine_sql::{Sqlite as Dialect, Tables, TypeLayout, field_column};

pub(crate) use text::TextTables;
pub(crate) use vectors::VectorTable;

/// The types this store was told of.
pub(crate) type Known = ermine_sql::Known<Layout>;

/// A type as this store keeps it.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) schema: Arc<Schema>,
    pub(crate) tables: Tables,
    /// `None` for a type without text fields.
    pub(crate) text: Option<TextTables>,
    /// In the order of the schema's vector fields.
    pub(crate) vectors: Vec<VectorTable>,
    pub(crate) has_lists: bool,
    pub(crate) insert: String,
    pub(crate) update: String,
    pub(crate) find: String,
    pub(crate) key_of: String,
    pub(crate) record_of: String,
}

impl TypeLayout for Layout {
    fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }
}

impl Layout {
    /// The layout of a type whose vector fields have these numbers.
    pub(crate) fn new(schema: Arc<Schema>, indexes: &[i64]) -> Self {
        let tables = Tables::of(&schema);
        let documents = &tables.documents;
        let columns: Vec<String> = schema
            .columns()
            .iter()
            .map(|column| field_column(column.name()))
            .collect();
        let names: String = columns.iter().map(|name| format!(", {name}")).collect();
        let places: String = (4..)
            .take(columns.len())
            .map(|at| format!(", ?{at}"))
            .collect();
        let sets: String = (3..)
            .zip(&columns)
            .map(|(at, name)| format!(", {name} = ?{at}"))
            .collect();
        Self {
            insert: format!(
                "INSERT INTO {documents} (tenant, id, body{names}) VALUES (?1, ?2, ?3{places})"
            ),
            update: format!(
                "UPDATE {documents} SET body = ?2, deleted = NULL{sets} WHERE doc = ?1"
            ),
            find: format!(
                "SELECT doc, deleted IS NOT NULL FROM {documents} WHERE tenant = ?1 AND id = ?2"
            ),
            key_of: format!("SELECT tenant, id FROM {documents} WHERE doc = ?1"),
            record_of: format!("SELECT tenant, id, body FROM {documents} WHERE doc = ?1"),
            has_lists: tables.has_lists(&schema),
            text: (!schema.text().is_empty()).then(|| TextTables::new(&schema)),
            vectors: schema
                .vectors()
                .iter()
                .zip(indexes)
                .map(|(field, index)| VectorTable::new(&schema, field.name(), *index))
                .collect(),
            tables,
            schema,
        }
    }

    /// The statements that create the tables, their indexes and their triggers.
    pub(crate) fn create(&self) -> Vec<String> {
        let mut ddl = self.tables.create(&self.schema, &Dialect);
        if let Some(text) = &self.text {
            ddl.extend(text.create());
        }
        for vectors in &self.vectors {
            ddl.extend(vectors.create());
        }
        ddl.extend(triggers::create(self));
        ddl
    }
}

#[cfg(test)]
mod tests;
