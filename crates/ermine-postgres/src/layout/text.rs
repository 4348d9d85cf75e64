//! The tables of a type's text index.

use ermine_core::Schema;
use ermine_sql::{Dialect, Postgres, quote};

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
    /// What a search of one tenant reads.
    pub(crate) tail_of: String,
    pub(crate) hidden_of: String,
    pub(crate) dead_of: String,
    pub(crate) segments_of: String,
    pub(crate) postings_of: String,
    /// The tenants that have any text.
    pub(crate) tenants: String,
    pub(crate) upsert: String,
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
                "SELECT doc, len, terms, live FROM {records} WHERE tenant = $1 AND seg IS NULL"
            ),
            hidden_of: format!(
                "SELECT doc, len, terms FROM {records} WHERE tenant = $1 AND seg IS NOT NULL AND NOT live"
            ),
            dead_of: format!("SELECT doc, len, terms, seg FROM {dead} WHERE tenant = $1"),
            segments_of: format!("SELECT seg, n, sum_len FROM {segments} WHERE tenant = $1"),
            postings_of: format!(
                "SELECT p.seg, p.term, p.df, p.post FROM {segments} AS s JOIN {postings} AS p ON p.seg = s.seg AND p.term = ANY($2) WHERE s.tenant = $1"
            ),
            tenants: format!(
                "SELECT tenant FROM {segments} UNION SELECT tenant FROM {records} WHERE seg IS NULL"
            ),
            // What says the same stays where it is.
            upsert: format!(
                "INSERT INTO {records} AS r (doc, tenant, live, seg, len, terms)
                 SELECT u.doc, $1, true, NULL, u.len, u.terms FROM unnest($2, $3, $4) AS u (doc, len, terms)
                 ON CONFLICT (doc) DO UPDATE SET seg = NULL, len = excluded.len, terms = excluded.terms
                 WHERE r.terms <> excluded.terms"
            ),
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
        let index = |name: &str| Postgres.identifier(&format!("ermine_text_{schema}.{name}"));
        let (tail, hidden, tenant) = (index("tail"), index("hidden"), index("tenant"));
        let text = r#"text COLLATE "C""#;
        vec![
            format!(
                "CREATE TABLE {records} (\n  doc bigint PRIMARY KEY,\n  tenant {text} NOT NULL,\n  live boolean NOT NULL,\n  seg bigint,\n  len bigint NOT NULL,\n  terms bytea NOT NULL\n)"
            ),
            format!("CREATE INDEX {tail} ON {records} (tenant, doc) WHERE seg IS NULL"),
            format!(
                "CREATE INDEX {hidden} ON {records} (tenant, doc) WHERE seg IS NOT NULL AND NOT live"
            ),
            format!(
                "CREATE TABLE {dead} (\n  tenant {text} NOT NULL,\n  seg bigint NOT NULL,\n  doc bigint NOT NULL,\n  len bigint NOT NULL,\n  terms bytea NOT NULL,\n  PRIMARY KEY (tenant, seg, doc)\n)"
            ),
            format!(
                "CREATE TABLE {segments} (\n  seg bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,\n  tenant {text} NOT NULL,\n  first bigint NOT NULL,\n  last bigint NOT NULL,\n  n bigint NOT NULL,\n  sum_len bigint NOT NULL\n)"
            ),
            format!("CREATE INDEX {tenant} ON {segments} (tenant)"),
            format!(
                "CREATE TABLE {postings} (\n  seg bigint NOT NULL,\n  term {text} NOT NULL,\n  df bigint NOT NULL,\n  post bytea STORAGE EXTERNAL NOT NULL,\n  pos bytea NOT NULL,\n  PRIMARY KEY (seg, term)\n)"
            ),
        ]
    }
}
