//! What differs between databases.

use ermine_core::{Direction, ScalarType};

/// How one database spells what the others spell otherwise.
pub trait Dialect {
    /// The place of the `n`th bound value, counted from 1.
    fn placeholder(&self, n: usize) -> String;

    /// The column type that holds a scalar's stored form.
    fn scalar_type(&self, scalar: ScalarType) -> &'static str;

    /// The type of the column that numbers documents: never reused, not even
    /// after the largest was deleted.
    fn document_key(&self) -> &'static str;

    /// A test that the text `haystack` holds the text `needle`, taken literally.
    fn contains(&self, haystack: &str, needle: &str) -> String;

    /// How an order in this direction is spelt: absent values first ascending, last descending.
    fn direction(&self, direction: Direction) -> &'static str;

    /// How many values a statement may bind.
    fn most_values(&self) -> usize;
}

/// SQLite.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sqlite;

impl Dialect for Sqlite {
    fn placeholder(&self, n: usize) -> String {
        format!("?{n}")
    }

    fn scalar_type(&self, scalar: ScalarType) -> &'static str {
        match scalar {
            ScalarType::Bool | ScalarType::I64 | ScalarType::U64 => "INTEGER",
            ScalarType::F64 => "REAL",
            _ => "TEXT",
        }
    }

    fn document_key(&self) -> &'static str {
        "INTEGER PRIMARY KEY AUTOINCREMENT"
    }

    fn contains(&self, haystack: &str, needle: &str) -> String {
        format!("instr({haystack}, {needle}) > 0")
    }

    /// SQLite takes NULL for the smallest value, which is what is wanted.
    fn direction(&self, direction: Direction) -> &'static str {
        match direction {
            Direction::Ascending => "ASC",
            Direction::Descending => "DESC",
        }
    }

    fn most_values(&self) -> usize {
        32_766
    }
}
