//! Reads the positions of a segment's term.

use crate::TextError;
use crate::forward::read_positions;
use crate::varint::Reader;

/// The positions of a term's postings, read alongside [`Postings`](super::Postings) from the first to the last.
#[derive(Debug, Clone)]
pub struct Positions<'a> {
    reader: Reader<'a>,
}

impl<'a> Positions<'a> {
    /// Reads [`SegmentTerm::pos`](super::SegmentTerm::pos).
    pub fn new(pos: &'a [u8]) -> Self {
        Self {
            reader: Reader::new(pos, "positions"),
        }
    }

    /// The positions of the next posting, whose counts per field these are: one field after the other.
    ///
    /// # Errors
    ///
    /// [`TextError::Corrupt`] if the bytes hold fewer.
    pub fn advance(&mut self, counts: &[u32]) -> Result<Vec<u32>, TextError> {
        read_positions(&mut self.reader, counts)
    }

    /// Whether all have been read.
    pub fn is_at_end(&self) -> bool {
        self.reader.is_empty()
    }
}
