//! The table of a vector field.

use ermine_core::{Metric, Schema, VectorFieldSchema};
use ermine_sql::{Dialect, Postgres, Tables};
use tokio_postgres::types::Type;

use super::hnsw::{Building, HnswIndex};
use crate::extension::Extension;

/// The norms between which single precision neither overflows nor loses digits when
/// squared: pgvector's distances of vectors beyond are not to be relied on.
pub(crate) const SMALLEST_NORM: f64 = 1e-15;
pub(crate) const LARGEST_NORM: f64 = 1e15;

/// The most dimensions with which a vector is kept on its row, where a scan finds it
/// without a second look; a row has to fit into a page.
const ON_THE_ROW: usize = 1_900;

/// One vector field's rows: `doc`, `data` (NULL where the text cannot be represented),
/// its `norm`, and the text's `hash`.
#[derive(Debug)]
pub(crate) struct VectorTable {
    pub(crate) table: String,
    /// The approximate index that is declared, or why there is none.
    pub(crate) index: Option<Result<HnswIndex, String>>,
    data: String,
    norm: String,
    odd: String,
    /// The type of an array of vectors.
    pub(crate) array: Type,
    /// Number and hash of a tenant's documents by id, those with a damaged vector left out.
    pub(crate) hashes: String,
    /// What holds of a row `v` unless its vector is damaged. Another length and what is
    /// not finite the database refuses itself.
    pub(crate) sound: &'static str,
    pub(crate) upsert: String,
    pub(crate) delete: String,
}

impl VectorTable {
    pub(super) fn new(schema: &Schema, field: &VectorFieldSchema, extension: &Extension) -> Self {
        let name = |part: &str| {
            Postgres.identifier(&format!("ermine_vec_{schema}.{}{part}", field.name()))
        };
        let table = name("");
        let kept = if field.dimensions() <= ON_THE_ROW {
            "PLAIN"
        } else {
            "EXTERNAL"
        };
        let sound = match field.metric() {
            Metric::Cosine => "(v.data IS NULL OR v.norm > 0)",
            _ => "TRUE",
        };
        Self {
            data: format!(
                "{}({}) STORAGE {kept}",
                extension.named("vector"),
                field.dimensions()
            ),
            norm: format!("{}(data)", extension.named("vector_norm")),
            odd: name(".odd"),
            sound,
            array: extension.vectors(),
            hashes: format!(
                "SELECT v.doc, v.hash FROM {} AS d JOIN {table} AS v ON v.doc = d.doc WHERE d.tenant = $1 AND d.id = ANY($2) AND {sound}",
                Tables::of(schema).documents
            ),
            upsert: format!(
                "INSERT INTO {table} (doc, data, hash) SELECT * FROM unnest($1, $2, $3) ON CONFLICT (doc) DO UPDATE SET data = excluded.data, hash = excluded.hash"
            ),
            delete: format!("DELETE FROM {table} WHERE doc = ANY($1)"),
            index: HnswIndex::declared(schema, field, &table, extension),
            table,
        }
    }

    pub(super) fn create(&self) -> Vec<String> {
        let Self {
            table,
            data,
            norm,
            odd,
            ..
        } = self;
        let mut ddl = vec![
            format!(
                "CREATE TABLE {table} (\n  doc bigint PRIMARY KEY,\n  data {data},\n  norm double precision GENERATED ALWAYS AS ({norm}) STORED,\n  hash text\n)"
            ),
            format!(
                "CREATE INDEX {odd} ON {table} (doc) WHERE norm < {SMALLEST_NORM:e} OR norm > {LARGEST_NORM:e}"
            ),
        ];
        if let Some(Ok(index)) = &self.index {
            ddl.push(index.build(&index.name, Building::AtOnce));
            ddl.extend(index.outside(Building::AtOnce).map(|(_, sql)| sql));
        }
        ddl
    }
}
