//! Cuts a text where scripts change and at the separators that Unicode's word rules keep inside words.

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use super::scripts::{is_ignorable, is_paired};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// To be segmented into words.
    Words,
    /// A run to be indexed in pairs.
    Run,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) kind: Kind,
    pub(super) range: Range<usize>,
}

/// The stretches of a normalised text, in order; separators lie in none.
pub(super) fn stretches(text: &str) -> Vec<Stretch> {
    let mut found = Vec::new();
    let mut open: Option<(Kind, usize)> = None;
    let mut previous = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|&(_, c)| c);
        let kind = if separates(previous, c, next) {
            None
        } else if is_paired(c) {
            Some(Kind::Run)
        } else if is_combining_mark(c) || is_joiner(c) {
            // Belongs to whatever it stands on.
            Some(open.map_or(Kind::Words, |(kind, _)| kind))
        } else {
            Some(Kind::Words)
        };
        previous = Some(c);
        if kind == open.map(|(kind, _)| kind) {
            continue;
        }
        if let Some((kind, start)) = open {
            found.push(Stretch {
                kind,
                range: start..at,
            });
        }
        open = kind.map(|kind| (kind, at));
    }
    if let Some((kind, start)) = open {
        found.push(Stretch {
            kind,
            range: start..text.len(),
        });
    }
    found
}

/// Ignorable, but not the zero-width space, which is there to separate.
fn is_joiner(c: char) -> bool {
    c != '\u{200B}' && is_ignorable(c)
}

/// Whether `c` is one of the separators inside words: `.` and `_` between two digits are part of a number.
fn separates(previous: Option<char>, c: char, next: Option<char>) -> bool {
    match c {
        ':' => true,
        '.' | '_' | '\u{203F}' | '\u{2040}' | '\u{2054}' => {
            !(previous.is_some_and(char::is_numeric) && next.is_some_and(char::is_numeric))
        }
        _ => false,
    }
}
