//! The approximate index of a vector field.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a vector field is indexed for approximate search (rule V10).
///
/// A store that has such indexes builds it; one that has none searches every
/// vector, which is no less than what was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum VectorIndex {
    /// A hierarchical navigable small world graph.
    Hnsw(Hnsw),
}

/// The parameters of a graph of neighbours. The default is tuned for recall; a
/// larger graph finds more and costs more to build, to keep and to search.
///
/// ```
/// use ermine_core::{Hnsw, Metric, Schema, VectorFieldSchema, IdType};
///
/// let field = VectorFieldSchema::new("embedding", 256, Metric::Cosine)
///     .indexed(Hnsw { m: 24, ..Hnsw::default() })
///     .approximate();
/// let notes = Schema::builder("notes", "id", IdType::Text).vector_field(field).build()?;
/// assert!(notes.vectors()[0].index().is_some());
/// # Ok::<(), ermine_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hnsw {
    /// How many neighbours a vector is linked to in each layer: 2 to 100.
    pub m: u16,
    /// How many candidates are weighed to find them: 4 to 1,000, at least 2 · m.
    pub ef_construction: u16,
}

impl Default for Hnsw {
    fn default() -> Self {
        Self {
            m: 16,
            ef_construction: 200,
        }
    }
}

impl From<Hnsw> for VectorIndex {
    fn from(hnsw: Hnsw) -> Self {
        Self::Hnsw(hnsw)
    }
}

impl VectorIndex {
    /// What is wrong with its parameters.
    pub(super) fn problem(self) -> Option<String> {
        let Self::Hnsw(Hnsw { m, ef_construction }) = self;
        if !(2..=100).contains(&m) {
            Some(format!("m is {m}; 2 to 100 are possible"))
        } else if !(4..=1_000).contains(&ef_construction) {
            Some(format!(
                "ef_construction is {ef_construction}; 4 to 1000 are possible"
            ))
        } else if ef_construction < 2 * m {
            Some(format!(
                "ef_construction is {ef_construction} and m is {m}; the former is at least twice the latter"
            ))
        } else {
            None
        }
    }
}

impl fmt::Display for VectorIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Hnsw(Hnsw { m, ef_construction }) = self;
        write!(f, "hnsw (m = {m}, ef_construction = {ef_construction})")
    }
}
