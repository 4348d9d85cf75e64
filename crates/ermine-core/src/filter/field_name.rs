//! How a field's name stands in the text of a filter.

use std::fmt;

/// The words that mean something in that text, in any case.
const WORDS: [&str; 13] = [
    "all",
    "and",
    "any",
    "between",
    "contains",
    "false",
    "in",
    "is",
    "not",
    "null",
    "or",
    "starts_with",
    "true",
];

/// A name bare where it reads as one name, else in backquotes, those within it doubled.
pub(super) struct FieldName<'a>(pub(super) &'a str);

impl fmt::Display for FieldName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let begins = self.0.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let bare = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let word = || WORDS.iter().any(|word| self.0.eq_ignore_ascii_case(word));
        if begins && self.0.chars().all(bare) && !word() {
            return f.write_str(self.0);
        }
        write!(f, "`{}`", self.0.replace('`', "``"))
    }
}
