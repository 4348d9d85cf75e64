//! What is told of an index that is being built.

use std::sync::Arc;

/// How far the build of an index is, as `pg_stat_progress_create_index` has it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexProgress {
    /// The document type.
    pub collection: String,
    /// The vector field.
    pub field: String,
    /// What the database is doing, in its words.
    pub phase: String,
    /// How much of this phase is done, in rows or in blocks.
    pub done: u64,
    /// How much there is to do; 0 where the database does not say.
    pub total: u64,
}

/// Who is told, where somebody asked to be.
pub(crate) type Reporting = Option<Arc<dyn Fn(&IndexProgress) + Send + Sync>>;
