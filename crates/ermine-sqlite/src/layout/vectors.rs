//! The table of a vector field.

use ermine_core::Schema;
use ermine_sql::{Tables, quote};

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
    /// Slot, document, data, tenant and whether it is soft-deleted: of one slot, and
    /// of those after one.
    pub(crate) row_of: String,
    pub(crate) rows_after: String,
}

impl VectorTable {
    pub(super) fn new(schema: &Schema, field: &str, index: i64) -> Self {
        let name = format!("ermine_vec_{schema}.{field}");
        let table = quote(&name);
        let rows = format!(
            "SELECT v.slot, v.doc, v.data, d.tenant, d.deleted IS NOT NULL FROM {table} AS v JOIN {} AS d ON d.doc = v.doc",
            Tables::of(schema).documents
        );
        Self {
            index,
            state_of: format!("SELECT hash, data FROM {table} WHERE doc = ?1"),
            insert: format!("INSERT INTO {table} (doc, data, hash) VALUES (?1, ?2, ?3)"),
            update: format!("UPDATE {table} SET data = ?2, hash = ?3 WHERE doc = ?1"),
            delete: format!("DELETE FROM {table} WHERE doc = ?1"),
            row_of: format!("{rows} WHERE v.slot = ?1"),
            rows_after: format!("{rows} WHERE v.slot > ?1 ORDER BY v.slot"),
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
