//! The tables of a type's text index.

use ermine_core::Schema;
use ermine_sql::quote;

/// The forward records, and the segments built from them.
///
/// A record with `seg` NULL is in the tail: a search reads it itself. One whose
/// postings sit in a segment and that is replaced or deleted leaves its old self
/// in `dead`, so that the integers of the statistics stay exact.
#[derive(Debug)]
pub(crate) struct TextTables {
    pub(crate) schema: String,
    pub(crate) records: String,
    pub(crate) dead: String,
    pub(crate) segments: String,
    pub(crate) postings: String,
}

impl TextTables {
    pub(super) fn new(schema: &Schema) -> Self {
        Self {
            schema: schema.name().to_owned(),
            records: quote(&format!("ermine_text_{schema}")),
            dead: quote(&format!("ermine_dead_{schema}")),
            segments: quote(&format!("ermine_segs_{schema}")),
            postings: quote(&format!("ermine_seg_{schema}")),
        }
    }

    pub(super) fn create(&self) -> Vec<String> {
        let Self {
            schema,
            records,
            dead,
            segments,
            postings,
        } = self;
        let index = |name: &str| quote(&format!("ermine_text_{schema}.{name}"));
        let (tail, hidden, tenant) = (index("tail"), index("hidden"), index("tenant"));
        vec![
            format!(
                "CREATE TABLE {records} (\n  doc INTEGER PRIMARY KEY,\n  tenant TEXT NOT NULL,\n  live INTEGER NOT NULL,\n  seg INTEGER,\n  len INTEGER NOT NULL,\n  terms BLOB NOT NULL\n)"
            ),
            format!("CREATE INDEX {tail} ON {records} (tenant, doc) WHERE seg IS NULL"),
            format!(
                "CREATE INDEX {hidden} ON {records} (tenant, doc) WHERE seg IS NOT NULL AND live = 0"
            ),
            format!(
                "CREATE TABLE {dead} (\n  tenant TEXT NOT NULL,\n  seg INTEGER NOT NULL,\n  doc INTEGER NOT NULL,\n  len INTEGER NOT NULL,\n  terms BLOB NOT NULL,\n  PRIMARY KEY (tenant, seg, doc)\n) WITHOUT ROWID"
            ),
            format!(
                "CREATE TABLE {segments} (\n  seg INTEGER PRIMARY KEY AUTOINCREMENT,\n  tenant TEXT NOT NULL,\n  first INTEGER NOT NULL,\n  last INTEGER NOT NULL,\n  n INTEGER NOT NULL,\n  sum_len INTEGER NOT NULL\n)"
            ),
            format!("CREATE INDEX {tenant} ON {segments} (tenant)"),
            format!(
                "CREATE TABLE {postings} (\n  seg INTEGER NOT NULL,\n  term TEXT NOT NULL,\n  df INTEGER NOT NULL,\n  post BLOB NOT NULL,\n  pos BLOB NOT NULL,\n  PRIMARY KEY (seg, term)\n) WITHOUT ROWID"
            ),
        ]
    }
}
