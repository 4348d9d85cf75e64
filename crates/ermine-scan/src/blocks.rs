//! Rows of vectors, packed.

mod chunk;
mod edit;

use std::fmt;
use std::sync::Arc;

use crate::row::Head;
use chunk::Chunk;

pub(crate) use chunk::lane_of;
pub use edit::Edit;

/// How many rows lie interleaved, so that one instruction serves several.
pub(crate) const LANES: usize = 8;

/// How many rows a chunk holds at most, and an edit of one row copies at most.
const CHUNK_ROWS: usize = 256;

/// The rows of one vector field, in ascending order of their slots; immutable.
///
/// A clone shares every row, and costs one reference count. Rows live in chunks
/// without an allocation of their own: a row takes four bytes for each element
/// and 32 more.
#[derive(Clone)]
pub struct Blocks {
    dimensions: usize,
    chunks: Arc<Vec<Arc<Chunk>>>,
}

impl Blocks {
    /// No rows, of vectors with `dimensions` elements.
    pub fn new(dimensions: usize) -> Self {
        Self {
            dimensions,
            chunks: Arc::default(),
        }
    }

    /// How many elements every vector has.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// The highest slot.
    pub fn last_slot(&self) -> Option<i64> {
        self.chunks.last()?.last_slot()
    }

    /// How many bytes the rows occupy, spare room included.
    pub fn bytes(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.bytes()).sum()
    }

    /// Begins a new set of rows from this one.
    ///
    /// Chunks that a clone of these blocks still holds are copied when they are
    /// first touched, and those that nobody else holds are changed in place; so
    /// clone first only where the old rows are to be kept.
    pub fn edit(self) -> Edit {
        Edit::new(self)
    }

    /// The rows of each chunk, [`LANES`] at a time (the last group of a chunk may have
    /// fewer), each group's elements interleaved: the first of every row, the second of
    /// every row…
    pub(crate) fn chunks(
        &self,
    ) -> impl Iterator<Item = impl Iterator<Item = (&[Head], &[[f32; LANES]])>> {
        self.chunks
            .iter()
            .map(|chunk| chunk.groups(self.dimensions))
    }
}

impl fmt::Debug for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Blocks")
            .field("dimensions", &self.dimensions)
            .field("len", &self.len())
            .field("bytes", &self.bytes())
            .finish()
    }
}
