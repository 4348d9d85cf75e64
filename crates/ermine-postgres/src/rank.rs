//! Documents in their places of a ranking.

use ermine_core::ScopedId;

/// A document in its place of a ranking.
#[derive(Debug, Clone)]
pub(crate) struct Ranked<F> {
    pub(crate) doc: i64,
    pub(crate) key: ScopedId,
    pub(crate) figure: F,
}
