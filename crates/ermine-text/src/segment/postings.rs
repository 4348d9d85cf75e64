//! Reads the postings of a segment's term.

use super::block::Head;
use crate::TextError;
use crate::varint::Reader;

/// One document that holds a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting<'a> {
    /// The document.
    pub doc: i64,
    /// Its length in terms.
    pub len: u64,
    /// How often each text field holds the term.
    pub counts: &'a [u32],
}

/// The postings of a term, in ascending order of documents, decoded as they are asked for.
///
/// Bytes that no [`SegmentBuilder`](super::SegmentBuilder) wrote give an error, never a panic; after one the postings
/// are at their end.
#[derive(Debug, Clone)]
pub struct Postings<'a> {
    reader: Reader<'a>,
    head: Head,
    /// The last document of the blocks opened so far.
    block_last: Option<i64>,
    /// Postings of the open block yet to be read, and its bytes.
    left: usize,
    body: Reader<'a>,
    doc: Option<i64>,
    len: u64,
    counts: Vec<u32>,
}

const WHAT: &str = "postings";

impl<'a> Postings<'a> {
    /// Reads [`SegmentTerm::post`](super::SegmentTerm::post) of a segment over so many text fields.
    pub fn new(post: &'a [u8], fields: usize) -> Self {
        Self {
            reader: Reader::new(post, WHAT),
            head: Head {
                largest: vec![0; fields],
                ..Head::default()
            },
            block_last: None,
            left: 0,
            body: Reader::new(&[], WHAT),
            doc: None,
            len: 0,
            counts: vec![0; fields],
        }
    }

    /// The posting last returned.
    pub fn current(&self) -> Option<Posting<'_>> {
        Some(Posting {
            doc: self.doc?,
            len: self.len,
            counts: &self.counts,
        })
    }

    /// The next posting, or `None` after the last.
    ///
    /// # Errors
    ///
    /// [`TextError::Corrupt`]
    pub fn advance(&mut self) -> Result<Option<Posting<'_>>, TextError> {
        self.step(i64::MIN)?;
        Ok(self.current())
    }

    /// The first posting of `target` or a greater document: the current one if it is that already, else one after it.
    /// Blocks that end before `target` are passed over unread.
    ///
    /// # Errors
    ///
    /// [`TextError::Corrupt`]
    pub fn seek(&mut self, target: i64) -> Result<Option<Posting<'_>>, TextError> {
        if self.doc.is_none_or(|doc| doc < target) {
            self.step(target)?;
            while self.doc.is_some_and(|doc| doc < target) {
                self.step(target)?;
            }
        }
        Ok(self.current())
    }

    /// Moves on by one posting, or into the first block that may hold `target`.
    fn step(&mut self, target: i64) -> Result<(), TextError> {
        let moved = self.try_step(target);
        if !matches!(moved, Ok(true)) {
            self.doc = None;
            self.left = 0;
            self.reader = Reader::new(&[], WHAT);
        }
        moved.map(|_| ())
    }

    fn try_step(&mut self, target: i64) -> Result<bool, TextError> {
        while self.left == 0 || self.head.last < target {
            if self.reader.is_empty() {
                return Ok(false);
            }
            self.head.read(&mut self.reader, self.block_last)?;
            self.block_last = Some(self.head.last);
            self.body = Reader::new(self.reader.take(self.head.body_bytes)?, WHAT);
            self.left = self.head.postings;
        }
        self.read_posting()?;
        Ok(true)
    }

    fn read_posting(&mut self) -> Result<(), TextError> {
        let body = &mut self.body;
        let doc = match self.doc {
            _ if self.left == self.head.postings => self.head.first,
            Some(previous) => {
                let step = body.u64()?;
                previous
                    .checked_add_unsigned(step)
                    .filter(|&doc| doc > previous)
                    .ok_or_else(|| body.corrupt("its documents are not ascending"))?
            }
            None => return Err(body.corrupt("a posting has no document before it")),
        };
        self.len = body.u64()?;
        let mut some = false;
        let mut bounded = self.len >= self.head.least_len;
        for (count, &largest) in self.counts.iter_mut().zip(&self.head.largest) {
            *count = body.u32()?;
            some |= *count > 0;
            bounded &= *count <= largest;
        }
        self.left -= 1;
        if !some {
            return Err(body.corrupt("a posting occurs in no field"));
        }
        if !bounded {
            return Err(body.corrupt("a posting exceeds its block's bound"));
        }
        if self.left == 0 && (doc != self.head.last || !body.is_empty()) {
            return Err(body.corrupt("a block does not end where its head says"));
        }
        self.doc = Some(doc);
        Ok(())
    }
}
