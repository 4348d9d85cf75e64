//! Immutable posting segments, built from forward records.
//!
//! A term of a segment has two encodings, kept apart because only phrases need the second:
//!
//! ```text
//! post: blocks of up to 128 postings
//!   head: number of postings, first document (signed, less the last of the block before), last less first,
//!         least document length, largest count per field, bytes of the body, bytes of the block's positions
//!   body: per posting: document (less the one before; the first is in the head), document length, count per field
//! pos:  per posting and field: positions, each less the one before
//! ```
//!
//! Numbers are varints. A block's head is the bound by which a search will be able to leave it out: no stored impact,
//! since statistics and weights change under an immutable segment. A reader checks the postings against the head.

mod block;
mod build;
mod positions;
mod postings;

pub use self::build::SegmentBuilder;
pub use self::positions::Positions;
pub use self::postings::{Posting, Postings};

/// How many postings a block holds at most.
pub const BLOCK: usize = 128;

/// A finished segment, to be stored.
///
/// ```
/// use ermine_text::{Analyzer, Language, Postings, SegmentBuilder};
///
/// let analyzer = Analyzer::new(Language::None);
/// let mut builder = SegmentBuilder::new(1);
/// builder.push(3, &analyzer.analyze_document(&[Some("db db pool")]))?;
/// builder.push(8, &analyzer.analyze_document(&[Some("pool timeouts")]))?;
/// let segment = builder.finish();
/// assert_eq!((segment.documents, segment.total_len), (2, 5));
///
/// let pool = segment.term("pool").unwrap();
/// assert_eq!(pool.df, 2);
/// let mut postings = Postings::new(&pool.post, 1);
/// let posting = postings.seek(4)?.unwrap();
/// assert_eq!((posting.doc, posting.len, posting.counts), (8, 2, [1].as_slice()));
/// assert!(postings.advance()?.is_none());
/// # Ok::<(), ermine_text::TextError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Segment {
    /// How many documents it was built from, those without terms too.
    pub documents: u64,
    /// The sum of their lengths in terms.
    pub total_len: u64,
    /// Its terms, sorted by their bytes.
    pub terms: Vec<SegmentTerm>,
}

impl Segment {
    /// A term's entry, if any document has it.
    pub fn term(&self, term: &str) -> Option<&SegmentTerm> {
        let index = self
            .terms
            .binary_search_by(|entry| entry.term.as_str().cmp(term))
            .ok()?;
        self.terms.get(index)
    }
}

/// One term of a [`Segment`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentTerm {
    /// The term.
    pub term: String,
    /// How many documents of the segment hold it in any field.
    pub df: u64,
    /// Documents, lengths and counts, for [`Postings`].
    pub post: Vec<u8>,
    /// Positions, for [`Positions`].
    pub pos: Vec<u8>,
}
