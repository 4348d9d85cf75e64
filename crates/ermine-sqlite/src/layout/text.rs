//! The tables of a type's text index.

use ermine_core::Schema;
use ermine_sql::quote;

/// The forward records, and the segments built from them.
///
/// A record with `seg` NULL is in the tail: a search reads it itself. One whose
/// postings sit in a segment and that is replaced or deleted leaves its length in
/// `dead`, so that the integers of the statistics stay exact: which terms it held,
/// the postings tell.
#[derive(Debug)]
pub(crate) struct TextTables {
    pub(crate) schema: String,
    pub(crate) records: String,
    pub(crate) dead: String,
    pub(crate) segments: String,
    pub(crate) postings: String,
    /// What a search of one tenant reads. Rows of the tail are document, length,
    /// record and whether it is live; hidden and dead ones document, length and segment.
    pub(crate) tail_of: String,
    pub(crate) hidden_of: String,
    pub(crate) dead_of: String,
    pub(crate) segments_of: String,
    pub(crate) postings_of: String,
}

impl TextTables {
    pub(super) fn new(schema: &Schema) -> Self {
        let records = quote(&format!("ermine_text_{schema}"));
        let dead = quote(&format!("ermine_dead_{schema}"));
        let segments = quote(&format!("ermine_segs_{schema}"));
        let postings = quote(&format!("ermine_seg_{schema}"));
        Self {
            schema: schema.name().to_owned(),
            tail_of: format!(
                "SELECT doc, len, terms, live FROM {records} WHERE tenant = ?1 AND seg IS NULL"
            ),
            hidden_of: format!(
                "SELECT doc, len, seg FROM {records} WHERE tenant = ?1 AND seg IS NOT NULL AND live = 0"
            ),
            dead_of: format!("SELECT doc, len, seg FROM {dead} WHERE tenant = ?1"),
            segments_of: format!(
                "SELECT seg, n, sum_len FROM {segments} WHERE tenant = ?1 ORDER BY seg"
            ),
            postings_of: format!("SELECT df, post FROM {postings} WHERE seg = ?1 AND term = ?2"),
            records,
            dead,
            segments,
            postings,
        }
    }

    pub(super) fn create(&self) -> Vec<String> {
        let Self {
            schema,
            records,
            dead,
            segments,
            postings,
            ..
        } = self;
        let index = |name: &str| quote(&format!("ermine_text_{schema}.{name}"));
        let (tail, hidden, tenant) = (index("tail"), index("hidden"), index("tenant"));
        vec![
            format!(
                "CREATE TABLE {records} (\n  doc INTEGER PRIMARY KEY,\n  tenant TEXT NOT NULL,\n  live INTEGER NOT NULL,\n  seg INTEGER,\n  len INTEGER NOT NULL,\n  terms BLOB NOT NULL\n)"
            ),
            format!("CREATE INDEX {tail} ON {records} (tenant, doc) WHERE seg IS NULL"),
            format!(
                "CREATE INDEX {hidden} ON {records} (tenant, doc, len, seg, live) WHERE seg IS NOT NULL AND live = 0"
            ),
            format!(
                "CREATE TABLE {dead} (\n  tenant TEXT NOT NULL,\n  seg INTEGER NOT NULL,\n  doc INTEGER NOT NULL,\n  len INTEGER NOT NULL,\n  PRIMARY KEY (tenant, seg, doc)\n) WITHOUT ROWID"
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
