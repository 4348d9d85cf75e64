//! The head of a block of postings.

use super::BLOCK;
use crate::TextError;
use crate::varint::{self, Reader};

/// What a head says about its block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) postings: usize,
    pub(super) first: i64,
    pub(super) last: i64,
    pub(super) least_len: u64,
    pub(super) largest: Vec<u32>,
    pub(super) body_bytes: usize,
    pub(super) position_bytes: u64,
}

impl Head {
    /// Appends the head; `previous` is the last document of the block before.
    pub(super) fn put(&self, out: &mut Vec<u8>, previous: Option<i64>) {
        varint::put(out, self.postings as u64);
        varint::put_signed(out, self.first.wrapping_sub(previous.unwrap_or(0)));
        varint::put(out, self.last.wrapping_sub(self.first) as u64);
        varint::put(out, self.least_len);
        for &count in &self.largest {
            varint::put(out, u64::from(count));
        }
        varint::put(out, self.body_bytes as u64);
        varint::put(out, self.position_bytes);
    }

    /// Reads a head over this one; the reader then stands at the body.
    pub(super) fn read(
        &mut self,
        reader: &mut Reader<'_>,
        previous: Option<i64>,
    ) -> Result<(), TextError> {
        let postings = reader.u64()?;
        if !(1..=BLOCK as u64).contains(&postings) {
            return Err(reader.corrupt("a block has no postings or too many"));
        }
        self.postings = postings as usize;
        // Wrapping, because the difference of two i64 may need 65 bits; ascending is checked below.
        self.first = reader.i64()?.wrapping_add(previous.unwrap_or(0));
        if previous.is_some_and(|previous| previous >= self.first) {
            return Err(reader.corrupt("its documents are not ascending"));
        }
        let span = reader.u64()?;
        self.last = self
            .first
            .checked_add_unsigned(span)
            .ok_or_else(|| reader.corrupt("a document is too large"))?;
        self.least_len = reader.u64()?;
        for count in &mut self.largest {
            *count = reader.u32()?;
        }
        let body_bytes = reader.u64()?;
        self.position_bytes = reader.u64()?;
        self.body_bytes = usize::try_from(body_bytes)
            .ok()
            .filter(|&bytes| bytes <= reader.remaining())
            .ok_or_else(|| reader.corrupt("a block is longer than what is left"))?;
        Ok(())
    }
}
