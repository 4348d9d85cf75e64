//! SQLite's spelling.

use ermine_core::{Direction, ScalarType, Schema};

use super::{Dialect, Lists};

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

    fn lists(&self) -> Lists {
        Lists::Table
    }

    fn document_key(&self, _: &Schema) -> String {
        "INTEGER PRIMARY KEY AUTOINCREMENT".to_owned()
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

    fn absent_first(&self) -> &'static str {
        ""
    }

    fn most_values(&self) -> usize {
        32_766
    }
}
