//! Builds a segment.

use std::collections::HashMap;

use super::block::Head;
use super::{BLOCK, Segment, SegmentTerm};
use crate::forward::put_positions;
use crate::{ForwardRecord, TextError, varint};

/// Gathers forward records into a [`Segment`].
#[derive(Debug)]
pub struct SegmentBuilder {
    fields: usize,
    documents: u64,
    total_len: u64,
    previous: Option<i64>,
    terms: HashMap<String, TermBuilder>,
}

impl SegmentBuilder {
    /// An empty segment over documents of so many text fields.
    pub fn new(fields: usize) -> Self {
        Self {
            fields,
            documents: 0,
            total_len: 0,
            previous: None,
            terms: HashMap::new(),
        }
    }

    /// Adds a document. One analysed when its type had fewer text fields holds nothing in the others.
    ///
    /// # Errors
    ///
    /// [`TextError::DocumentOrder`] unless `doc` is greater than the one before; [`TextError::FieldCount`] if the
    /// record has more fields than the segment. The builder is as it was before.
    pub fn push(&mut self, doc: i64, record: &ForwardRecord) -> Result<(), TextError> {
        if let Some(previous) = self.previous.filter(|&previous| previous >= doc) {
            return Err(TextError::DocumentOrder {
                previous,
                document: doc,
            });
        }
        if record.fields() > self.fields {
            return Err(TextError::FieldCount {
                expected: self.fields,
                actual: record.fields(),
            });
        }
        self.previous = Some(doc);
        self.documents += 1;
        self.total_len = self.total_len.saturating_add(record.len());
        for entry in record.terms() {
            if !self.terms.contains_key(entry.term()) {
                let builder = TermBuilder::new(self.fields);
                self.terms.insert(entry.term().to_owned(), builder);
            }
            if let Some(term) = self.terms.get_mut(entry.term()) {
                term.add(doc, record.len(), entry.counts(), entry.all_positions());
            }
        }
        Ok(())
    }

    /// The segment of all documents added.
    pub fn finish(self) -> Segment {
        let mut terms: Vec<SegmentTerm> = self
            .terms
            .into_iter()
            .map(|(term, builder)| builder.finish(term))
            .collect();
        terms.sort_unstable_by(|a, b| a.term.cmp(&b.term));
        Segment {
            documents: self.documents,
            total_len: self.total_len,
            terms,
        }
    }
}

/// One term's postings so far: closed blocks in `post`, and an open one.
#[derive(Debug)]
struct TermBuilder {
    df: u64,
    post: Vec<u8>,
    pos: Vec<u8>,
    head: Head,
    body: Vec<u8>,
    closed: Option<i64>,
    positions_before: usize,
}

impl TermBuilder {
    fn new(fields: usize) -> Self {
        Self {
            df: 0,
            post: Vec::new(),
            pos: Vec::new(),
            head: Head {
                largest: vec![0; fields],
                ..Head::default()
            },
            body: Vec::new(),
            closed: None,
            positions_before: 0,
        }
    }

    fn add(&mut self, doc: i64, len: u64, counts: &[u32], positions: &[u32]) {
        let head = &mut self.head;
        if head.postings == 0 {
            head.first = doc;
            head.least_len = len;
        } else {
            varint::put(&mut self.body, doc.wrapping_sub(head.last) as u64);
        }
        head.postings += 1;
        head.last = doc;
        head.least_len = head.least_len.min(len);
        varint::put(&mut self.body, len);
        for (field, largest) in head.largest.iter_mut().enumerate() {
            let count = counts.get(field).copied().unwrap_or(0);
            *largest = (*largest).max(count);
            varint::put(&mut self.body, u64::from(count));
        }
        put_positions(&mut self.pos, counts, positions);
        self.df += 1;
        if self.head.postings == BLOCK {
            self.close();
        }
    }

    fn close(&mut self) {
        if self.head.postings == 0 {
            return;
        }
        self.head.body_bytes = self.body.len();
        self.head.position_bytes = (self.pos.len() - self.positions_before) as u64;
        self.head.put(&mut self.post, self.closed);
        self.post.append(&mut self.body);
        self.closed = Some(self.head.last);
        self.positions_before = self.pos.len();
        self.head.postings = 0;
        self.head.largest.fill(0);
    }

    fn finish(mut self, term: String) -> SegmentTerm {
        self.close();
        SegmentTerm {
            term,
            df: self.df,
            post: self.post,
            pos: self.pos,
        }
    }
}
