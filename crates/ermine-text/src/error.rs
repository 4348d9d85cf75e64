//! What can go wrong in this crate.

use std::fmt;

/// An error of the text crate.
///
/// Text given by users never causes one: analysing and parsing accept every string. Errors come from stored bytes
/// that are not what this crate wrote, and from calls that break a documented condition.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum TextError {
    /// The name of a language that has no analyser.
    UnknownLanguage {
        /// The name as it was given.
        name: String,
    },
    /// Stored bytes are not an encoding this crate writes.
    Corrupt {
        /// Which encoding: "forward record", "postings" or "positions".
        what: &'static str,
        /// What is wrong with it.
        detail: &'static str,
        /// How many bytes into the encoding it was noticed.
        offset: usize,
    },
    /// A segment was given documents out of order.
    DocumentOrder {
        /// The document added before.
        previous: i64,
        /// The document that should have been greater.
        document: i64,
    },
    /// A record has more text fields than the place it is added to.
    FieldCount {
        /// How many fields were expected.
        expected: usize,
        /// How many the record has.
        actual: usize,
    },
    /// A column weight is negative or not finite.
    Weight {
        /// The field's place in the order of declaration, from 0.
        field: usize,
        /// The weight as it was given.
        weight: f64,
    },
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownLanguage { name } => write!(
                f,
                "no text analyser for the language {name:?}: declare one of {}",
                crate::Language::known()
            ),
            Self::Corrupt {
                what,
                detail,
                offset,
            } => write!(
                f,
                "corrupt {what} at byte {offset}: {detail}; rebuild the text index from its documents"
            ),
            Self::DocumentOrder { previous, document } => write!(
                f,
                "document {document} was added to a segment after document {previous}: add documents in ascending order, each once"
            ),
            Self::FieldCount { expected, actual } => write!(
                f,
                "a record of {actual} text fields was added to a segment of {expected}: build the segment for the wider type"
            ),
            Self::Weight { field, weight } => write!(
                f,
                "the weight {weight} of text field {field} cannot be used: give a finite number that is not negative"
            ),
        }
    }
}

impl std::error::Error for TextError {}
