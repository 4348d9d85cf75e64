//! Bringing rows up to date.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Blocks;
use super::chunk::Chunk;
use crate::row::{Head, Row};

/// A set of rows being changed; [`finish`](Self::finish) publishes it.
///
/// ```
/// use ermine_scan::{Blocks, Row, RowState};
///
/// let row = |slot, vector| Row { slot, doc: slot, tenant: 0, state: RowState::Live, vector };
/// let mut edit = Blocks::new(1).edit();
/// edit.put(row(1, &[0.5]));
/// edit.put(row(2, &[0.7]));
/// let before = edit.finish();
///
/// let mut edit = before.clone().edit();
/// edit.remove(1);
/// let after = edit.finish();
/// assert_eq!((before.len(), after.len()), (2, 1));
/// ```
#[derive(Debug)]
pub struct Edit {
    blocks: Blocks,
    /// Slots of rows that are to go; their chunks are rewritten once, at the end.
    removed: BTreeSet<i64>,
    /// Whether a row was put between others, which may leave a chunk nearly empty.
    split: bool,
}

impl Edit {
    pub(super) fn new(blocks: Blocks) -> Self {
        Self {
            blocks,
            removed: BTreeSet::new(),
            split: false,
        }
    }

    /// Puts a row at its slot, in the place of the one that is there.
    ///
    /// A vector of another length, or with an element that is not finite, is
    /// a candidate of no search (rule V6): the row then counts as removed.
    pub fn put(&mut self, row: Row<'_>) {
        let Some(head) = Head::of(row, self.blocks.dimensions) else {
            self.remove(row.slot);
            return;
        };
        self.removed.remove(&row.slot);
        let chunks = Arc::make_mut(&mut self.blocks.chunks);
        let after = chunks.partition_point(|chunk| chunk.first_slot() <= Some(row.slot));
        let chunk = after.checked_sub(1).and_then(|at| chunks.get_mut(at));
        let Some(chunk) = chunk else {
            chunks.insert(0, alone(head, row.vector));
            self.split = true;
            return;
        };
        match chunk.position(row.slot) {
            Ok(at) => Arc::make_mut(chunk).replace(at, head, row.vector),
            Err(at) if at == chunk.len() && chunk.is_full() => {
                chunks.insert(after, alone(head, row.vector));
            }
            Err(at) if at == chunk.len() => Arc::make_mut(chunk).push(head, row.vector),
            Err(at) => {
                let (mut left, mut right) = (Chunk::default(), Chunk::default());
                for (place, (old, vector)) in chunk.rows(self.blocks.dimensions).enumerate() {
                    let side = if place < at { &mut left } else { &mut right };
                    side.push(*old, &vector);
                }
                left.push(head, row.vector);
                *chunk = Arc::new(left);
                chunks.insert(after, Arc::new(right));
                self.split = true;
            }
        }
    }

    /// Removes the row at `slot`, where there is one.
    pub fn remove(&mut self, slot: i64) {
        self.removed.insert(slot);
    }

    /// The new set of rows.
    pub fn finish(mut self) -> Blocks {
        if self.split || !self.removed.is_empty() {
            self.compact();
        }
        self.blocks
    }

    /// Rewrites the chunks that lose rows, and joins neighbours that fit into one.
    fn compact(&mut self) {
        let dimensions = self.blocks.dimensions;
        let mut kept: Vec<Arc<Chunk>> = Vec::with_capacity(self.blocks.chunks.len());
        for chunk in std::mem::take(Arc::make_mut(&mut self.blocks.chunks)) {
            let chunk = self.without_removed(chunk);
            match kept.last_mut() {
                _ if chunk.len() == 0 => {}
                Some(last) if last.len() + chunk.len() <= super::CHUNK_ROWS => {
                    let last = Arc::make_mut(last);
                    for (head, vector) in chunk.rows(dimensions) {
                        last.push(*head, &vector);
                    }
                }
                _ => kept.push(chunk),
            }
        }
        self.blocks.chunks = Arc::new(kept);
    }

    fn without_removed(&self, chunk: Arc<Chunk>) -> Arc<Chunk> {
        let span = chunk.first_slot().zip(chunk.last_slot());
        let loses = span.is_some_and(|(first, last)| {
            let mut inside = self.removed.range(first..=last);
            inside.any(|slot| chunk.position(*slot).is_ok())
        });
        if !loses {
            return chunk;
        }
        let mut rest = Chunk::default();
        for (head, vector) in chunk.rows(self.blocks.dimensions) {
            if !self.removed.contains(&head.slot) {
                rest.push(*head, &vector);
            }
        }
        Arc::new(rest)
    }
}

fn alone(head: Head, vector: &[f32]) -> Arc<Chunk> {
    let mut chunk = Chunk::default();
    chunk.push(head, vector);
    Arc::new(chunk)
}
