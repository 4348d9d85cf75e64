//! Forward records: what a document's text says to the index.

mod encode;
mod view;

use std::collections::HashMap;

pub(crate) use self::encode::{put_positions, read_positions};
pub use self::view::{EncodedRecord, EncodedTerm, EncodedTerms};
use crate::Token;

/// The analysed terms of one document: the truth from which postings are built and rebuilt.
///
/// Terms are sorted by their bytes and distinct. For each there is a count per text field, in the order of declaration,
/// and the positions of its occurrences, ascending within each field.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ForwardRecord {
    fields: usize,
    len: u64,
    terms: Vec<RecordTerm>,
}

/// One term of a [`ForwardRecord`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordTerm {
    term: String,
    counts: Vec<u32>,
    positions: Vec<u32>,
}

impl RecordTerm {
    /// The term.
    pub fn term(&self) -> &str {
        &self.term
    }

    /// How often each text field holds it.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// Where one field holds it: positions of words, from 0, ascending.
    pub fn positions(&self, field: usize) -> &[u32] {
        let before: usize = self
            .counts
            .iter()
            .take(field)
            .map(|&count| count as usize)
            .sum();
        let count = self.counts.get(field).map_or(0, |&count| count as usize);
        self.positions
            .get(before..before + count)
            .unwrap_or_default()
    }

    /// The positions in all fields, one field after the other.
    pub fn all_positions(&self) -> &[u32] {
        &self.positions
    }
}

impl ForwardRecord {
    pub(crate) fn builder(fields: usize) -> RecordBuilder {
        RecordBuilder {
            fields,
            len: 0,
            terms: HashMap::new(),
        }
    }

    /// How many text fields the document's type has.
    pub fn fields(&self) -> usize {
        self.fields
    }

    /// The document's length: its terms over all text fields, unweighted; what T12 calls `len`.
    ///
    /// Single characters beside their bigrams do not count, a lone one does.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The terms, sorted by their bytes.
    pub fn terms(&self) -> &[RecordTerm] {
        &self.terms
    }

    /// How often each field holds a term; `None` if none does.
    pub fn counts(&self, term: &str) -> Option<&[u32]> {
        self.get(term).map(RecordTerm::counts)
    }

    /// A term's entry, if the document has it.
    pub fn get(&self, term: &str) -> Option<&RecordTerm> {
        let index = self
            .terms
            .binary_search_by(|entry| entry.term.as_str().cmp(term))
            .ok()?;
        self.terms.get(index)
    }
}

pub(crate) struct RecordBuilder {
    fields: usize,
    len: u64,
    terms: HashMap<String, RecordTerm>,
}

impl RecordBuilder {
    /// Adds a token; fields come in ascending order, and positions within a field too.
    pub(crate) fn add(&mut self, field: usize, token: Token) {
        self.len += u64::from(token.counted);
        let fields = self.fields;
        let entry = self
            .terms
            .entry(token.term)
            .or_insert_with_key(|term| RecordTerm {
                term: term.clone(),
                counts: vec![0; fields],
                positions: Vec::new(),
            });
        if let Some(count) = entry.counts.get_mut(field) {
            *count = count.saturating_add(1);
            entry.positions.push(token.position);
        }
    }

    pub(crate) fn finish(self) -> ForwardRecord {
        let mut terms: Vec<RecordTerm> = self.terms.into_values().collect();
        terms.sort_unstable_by(|a, b| a.term.cmp(&b.term));
        ForwardRecord {
            fields: self.fields,
            len: self.len,
            terms,
        }
    }
}
