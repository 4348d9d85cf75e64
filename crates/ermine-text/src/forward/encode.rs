//! The bytes of a forward record.
//!
//! ```text
//! version (1), fields, len, number of terms
//! per term, ascending: bytes of the term, term, count per field, bytes of the positions, positions
//! ```
//!
//! Numbers are varints. Positions are differences: each field begins again at 0.

use super::view::EncodedRecord;
use super::{ForwardRecord, RecordTerm};
use crate::TextError;
use crate::varint::{self, Reader};

pub(super) const WHAT: &str = "forward record";
pub(super) const VERSION: u64 = 1;

impl ForwardRecord {
    /// The record in compact bytes, as stores keep it.
    ///
    /// ```
    /// use ermine_text::{Analyzer, ForwardRecord, Language};
    ///
    /// let record = Analyzer::new(Language::None).analyze_document(&[Some("db db pool")]);
    /// assert_eq!(ForwardRecord::decode(&record.encode())?, record);
    /// # Ok::<(), ermine_text::TextError>(())
    /// ```
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        varint::put(&mut out, VERSION);
        varint::put(&mut out, self.fields as u64);
        varint::put(&mut out, self.len);
        varint::put(&mut out, self.terms.len() as u64);
        let mut positions = Vec::new();
        for term in &self.terms {
            varint::put(&mut out, term.term.len() as u64);
            out.extend_from_slice(term.term.as_bytes());
            for &count in &term.counts {
                varint::put(&mut out, u64::from(count));
            }
            positions.clear();
            put_positions(&mut positions, &term.counts, &term.positions);
            varint::put(&mut out, positions.len() as u64);
            out.extend_from_slice(&positions);
        }
        out
    }

    /// Reads what [`encode`](Self::encode) wrote.
    ///
    /// # Errors
    ///
    /// [`TextError::Corrupt`] for anything else; no bytes make it panic or reserve more memory than a small multiple
    /// of their number.
    pub fn decode(bytes: &[u8]) -> Result<Self, TextError> {
        let view = EncodedRecord::new(bytes)?;
        let mut terms = Vec::new();
        let mut entries = view.terms();
        while let Some(entry) = entries.advance()? {
            terms.push(RecordTerm {
                term: entry.term().to_owned(),
                counts: entry.counts()?,
                positions: entry.positions()?,
            });
        }
        Ok(Self {
            fields: view.fields(),
            len: view.len(),
            terms,
        })
    }
}

/// Appends positions, given one field after the other.
pub(crate) fn put_positions(out: &mut Vec<u8>, counts: &[u32], positions: &[u32]) {
    let mut rest = positions.iter();
    for &count in counts {
        let mut previous = 0;
        for &position in rest.by_ref().take(count as usize) {
            varint::put(out, u64::from(position.saturating_sub(previous)));
            previous = position;
        }
    }
}

/// Reads the positions of one document's term.
pub(crate) fn read_positions(
    reader: &mut Reader<'_>,
    counts: &[u32],
) -> Result<Vec<u32>, TextError> {
    let total: u64 = counts.iter().map(|&count| u64::from(count)).sum();
    // Each position takes a byte at least, so a count beyond the bytes left is no reason to reserve.
    if total > reader.remaining() as u64 {
        return Err(reader.corrupt("there are fewer positions than the counts say"));
    }
    let mut positions = Vec::with_capacity(total as usize);
    for &count in counts {
        let mut position = 0u32;
        for _ in 0..count {
            let step = reader.u32()?;
            position = position
                .checked_add(step)
                .ok_or_else(|| reader.corrupt("a position is too large"))?;
            positions.push(position);
        }
    }
    Ok(positions)
}
