//! What is wrong with a filter, and where.

use std::fmt;
use std::ops::Range;

use unicode_width::UnicodeWidthChar;

/// A filter that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FilterError {
    /// The whole filter.
    text: String,
    /// The bytes of it that are meant.
    at: Range<usize>,
    message: String,
}

impl FilterError {
    pub(super) fn new(text: &str, at: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            text: text.to_owned(),
            at,
            message: message.into(),
        }
    }

    /// The character the mistake begins at, from 1.
    pub(crate) fn column(&self) -> usize {
        let before = self.text.get(..self.at.start).unwrap_or(&self.text);
        before.chars().count() + 1
    }
}

/// The message, the filter on a line of its own, and carets under what is meant.
impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |range: Range<usize>| self.text.get(range).unwrap_or_default();
        let width = |text: &str| text.chars().map(|c| c.width().unwrap_or(1)).sum::<usize>();
        // On one line and without control characters, whatever was typed.
        let line: String = self
            .text
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let indent = width(part(0..self.at.start));
        let carets = width(part(self.at.clone())).max(1);
        writeln!(f, "filter, column {}: {}", self.column(), self.message)?;
        writeln!(f, "  {line}")?;
        write!(f, "  {:indent$}{}", "", "^".repeat(carets))
    }
}
