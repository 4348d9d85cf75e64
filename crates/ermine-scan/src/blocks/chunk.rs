//! A run of rows that is copied as one.

use std::mem::size_of;

use super::{CHUNK_ROWS, LANES};
use crate::row::Head;

/// At most [`CHUNK_ROWS`] rows in ascending order of their slots.
#[derive(Clone, Default)]
pub(super) struct Chunk {
    heads: Vec<Head>,
    /// Groups of [`LANES`] rows: `dimensions` entries each, one element of every row in an entry.
    elements: Vec<[f32; LANES]>,
}

impl Chunk {
    pub(super) fn len(&self) -> usize {
        self.heads.len()
    }

    pub(super) fn is_full(&self) -> bool {
        self.len() >= CHUNK_ROWS
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.heads.capacity() * size_of::<Head>()
            + self.elements.capacity() * size_of::<[f32; LANES]>()
    }

    pub(super) fn first_slot(&self) -> Option<i64> {
        Some(self.heads.first()?.slot)
    }

    pub(super) fn last_slot(&self) -> Option<i64> {
        Some(self.heads.last()?.slot)
    }

    /// Where `slot` is, or where it would have to be.
    pub(super) fn position(&self, slot: i64) -> Result<usize, usize> {
        self.heads.binary_search_by_key(&slot, |head| head.slot)
    }

    pub(super) fn groups(
        &self,
        dimensions: usize,
    ) -> impl Iterator<Item = (&[Head], &[[f32; LANES]])> {
        self.heads
            .chunks(LANES)
            .zip(self.elements.chunks_exact(dimensions.max(1)))
    }

    /// The rows, each with its elements.
    pub(super) fn rows(&self, dimensions: usize) -> impl Iterator<Item = (&Head, Vec<f32>)> {
        self.groups(dimensions).flat_map(|(heads, elements)| {
            heads
                .iter()
                .enumerate()
                .map(|(lane, head)| (head, lane_of(elements, lane).collect()))
        })
    }

    pub(super) fn push(&mut self, head: Head, vector: &[f32]) {
        let at = self.len();
        if at.is_multiple_of(LANES) {
            self.reserve_group(vector.len());
            let len = self.elements.len() + vector.len();
            self.elements.resize(len, [0.0; LANES]);
        }
        self.heads.push(head);
        self.write(at, vector);
    }

    /// Puts another row in the place of the one at `at`.
    pub(super) fn replace(&mut self, at: usize, head: Head, vector: &[f32]) {
        if let Some(old) = self.heads.get_mut(at) {
            *old = head;
            self.write(at, vector);
        }
    }

    fn write(&mut self, at: usize, vector: &[f32]) {
        let group = self
            .elements
            .iter_mut()
            .skip(at / LANES * vector.len())
            .filter_map(|entry| entry.get_mut(at % LANES));
        for (element, value) in group.zip(vector) {
            *element = *value;
        }
    }

    /// Doubles the room, up to a full chunk and not beyond.
    fn reserve_group(&mut self, dimensions: usize) {
        let needed = self.elements.len() + dimensions;
        if needed > self.elements.capacity() {
            let full = CHUNK_ROWS / LANES * dimensions;
            let room = (2 * self.elements.len()).clamp(needed, full.max(needed));
            self.elements.reserve_exact(room - self.elements.len());
        }
    }
}

/// The elements of one row of a group.
pub(crate) fn lane_of(group: &[[f32; LANES]], lane: usize) -> impl Iterator<Item = f32> {
    group
        .iter()
        .filter_map(move |entry| entry.get(lane).copied())
}
