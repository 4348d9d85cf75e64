//! Analyser, forward records, posting segments and BM25 for Ermine; knows no database.

mod analysis;
pub mod bm25;
mod error;
mod forward;
mod language;
mod query;
mod varint;

pub use analysis::{Analyzer, MAX_TERM_BYTES, Token};
pub use bm25::{Scorer, Statistics, TermStatistics};
pub use error::TextError;
pub use forward::{EncodedRecord, EncodedTerm, EncodedTerms, ForwardRecord, RecordTerm};
pub use language::Language;
pub use query::{Matching, ParsedQuery, QueryTerm, TextStyle};
