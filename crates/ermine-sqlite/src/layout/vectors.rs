//! The table of a vector field.

use ermine_core::Schema;
use ermine_sql::quote;

/// One vector field's rows: `slot` (never reused), `doc`, `data` (little-endian
/// `f32`; NULL where the text cannot be represented), and the text's `hash`.
#[derive(Debug)]
pub(crate) struct VectorTable {
    /// The field's number in the log of changes.
    pub(crate) index: i64,
    /// The name of the table, not quoted: what `sqlite_sequence` calls it.
    pub(crate) name: String,
    pub(crate) table: String,
    pub(crate) state_of: String,
    pub(crate) insert: String,
    pub(crate) update: String,
    pub(crate) delete: String,
}

impl VectorTable {
    pub(super) fn new(schema: &Schema, field: &str, index: i64) -> Self {
        let name = format!("ermine_vec_{schema}.{field}");
        let table = quote(&name);
        Self {
            index,
            state_of: format!("SELECT hash, data FROM {table} WHERE doc = ?1"),
            insert: format!("INSERT INTO {table} (doc, data, hash) VALUES (?1, ?2, ?3)"),
            update: format!("UPDATE {table} SET data = ?2, hash = ?3 WHERE doc = ?1"),
            delete: format!("DELETE FROM {table} WHERE doc = ?1"),
            name,
            table,
        }
    }

    pub(super) fn create(&self) -> Vec<String> {
        let table = &self.table;
        vec![format!(
            "CREATE TABLE {table} (\n  slot INTEGER PRIMARY KEY AUTOINCREMENT,\n  doc INTEGER NOT NULL UNIQUE,\n  data BLOB,\n  hash TEXT\n)"
        )]
    }
}
