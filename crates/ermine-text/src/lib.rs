//! Text search without a database: from text to terms, from terms to postings, from postings to scores.
//!
//! Ermine keeps this crate's bytes in the tables of each store and asks it what they mean, so that one text has one set
//! of terms and one score everywhere. It runs no query and opens no file. Data walks one way:
//!
//! 1. [`Analyzer`] turns a document's text fields, or a query, into terms; its [`identity`](Analyzer::identity) is
//!    stored with the index and compared when a store opens.
//! 2. [`ForwardRecord`] is what a document says: its terms with counts and positions per field. It is written with the
//!    document and is the truth; [`EncodedRecord`] looks terms up in its bytes without decoding them.
//! 3. [`SegmentBuilder`] gathers records into an immutable [`Segment`] of postings, which [`Postings`] and
//!    [`Positions`] read. A segment can be dropped and rebuilt at any time.
//! 4. [`ParsedQuery`] reads a search box's contents, and says which documents match and which are excluded.
//! 5. [`Scorer`] is BM25, equal to the bit on every machine; [`Statistics`] are sums that the store keeps.
//! 6. [`SearchPlan`] and [`TermIndex`] put these together: which documents of one tenant's segments and tail match.
//! 7. [`highlight`] and [`snippet`] show why a text was found.
//!
//! A whole search, over documents in memory:
//!
//! ```
//! use ermine_text::{Analyzer, Language, ParsedQuery, Scorer, Statistics, TermStatistics, TextStyle};
//!
//! let analyzer = Analyzer::new(Language::English);
//! let texts = ["Pool timeouts", "The pool is warm", "Moon landing"];
//! let records: Vec<_> = texts.iter().map(|text| analyzer.analyze_document(&[Some(text)])).collect();
//!
//! let query = ParsedQuery::parse(&analyzer, "pool timeout", TextStyle::Plain);
//! let statistics = Statistics {
//!     documents: records.len() as u64,
//!     total_len: records.iter().map(|record| record.len()).sum(),
//! };
//! let terms: Vec<_> = query.terms.iter().map(|query| TermStatistics {
//!     df: records.iter().filter(|record| record.get(&query.term).is_some()).count() as u64,
//!     count: query.count,
//! }).collect();
//! let scorer = Scorer::new(statistics, &terms, &[1.0])?;
//!
//! let scores: Vec<Option<f64>> = records.iter().map(|record| {
//!     let counts: Vec<&[u32]> = query.terms.iter().map(|query| record.counts(&query.term).unwrap_or(&[])).collect();
//!     scorer.score(record.len(), &counts)
//! }).collect();
//! assert!(scores[0] > scores[1] && scores[1].is_some());
//! assert_eq!(scores[2], None);
//! # Ok::<(), ermine_text::TextError>(())
//! ```
//!
//! # What it is not
//!
//! Phrases are not matched as phrases yet, although positions are kept; searches read every posting of a query's terms,
//! although blocks carry the bounds by which most could be left out. One language per index; no spelling correction, no
//! synonyms, no prefix search.

mod analysis;
pub mod bm25;
mod error;
mod forward;
mod highlight;
mod language;
mod query;
mod search;
pub mod segment;
mod snippet;
mod varint;

pub use analysis::{Analyzer, MAX_TERM_BYTES, Token};
pub use bm25::{Scorer, Statistics, TermStatistics};
pub use error::TextError;
pub use forward::{EncodedRecord, EncodedTerm, EncodedTerms, ForwardRecord, RecordTerm};
pub use highlight::highlight;
pub use language::Language;
pub use query::{Matching, ParsedQuery, QueryTerm, TextStyle};
pub use search::{Holder, Liveness, SearchPlan, TermIndex};
pub use segment::{Positions, Posting, Postings, Segment, SegmentBuilder, SegmentTerm};
pub use snippet::{Snippet, snippet};
