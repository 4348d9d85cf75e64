//! What differs between databases.

mod postgres;
mod sqlite;

use ermine_core::{Direction, ScalarType, Schema};

pub use postgres::Postgres;
pub use sqlite::Sqlite;

use crate::tables::quote;

/// How one database spells what the others spell otherwise.
pub trait Dialect {
    /// The place of the `n`th bound value, counted from 1.
    fn placeholder(&self, n: usize) -> String;

    /// The column type that holds a scalar's stored form.
    fn scalar_type(&self, scalar: ScalarType) -> &'static str;

    /// Where the elements of lists are kept.
    fn lists(&self) -> Lists;

    /// The type of the column that numbers documents: never reused, not even
    /// after the largest was deleted.
    fn document_key(&self, schema: &Schema) -> String;

    /// A test that the text `haystack` holds the text `needle`, taken literally.
    fn contains(&self, haystack: &str, needle: &str) -> String;

    /// How an order in this direction is spelt: absent values first ascending, last descending.
    fn direction(&self, direction: Direction) -> &'static str;

    /// What makes an ascending index run as an ascending order does: absent values first.
    fn absent_first(&self) -> &'static str;

    /// How many values a statement may bind.
    fn most_values(&self) -> usize;

    /// A name as an identifier: quoted, and shortened where the database would cut it.
    fn identifier(&self, name: &str) -> String {
        quote(name)
    }
}

/// Where a database keeps the elements of lists.
#[derive(Debug, Clone, Copy)]
pub enum Lists {
    /// In a table beside the documents.
    Table,
    /// In an array on the document's row.
    Array(ArrayType),
}

/// The array type that holds a list of scalars.
pub type ArrayType = fn(ScalarType) -> &'static str;
