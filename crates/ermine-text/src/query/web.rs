//! The web style.

use super::{Matching, ParsedQuery, counted};
use crate::Analyzer;

#[derive(Debug, PartialEq, Eq)]
enum Item<'a> {
    Or,
    Word { text: &'a str, excluded: bool },
}

pub(super) fn parse(analyzer: &Analyzer, text: &str) -> ParsedQuery {
    let mut scoring = Vec::new();
    let mut alternatives: Vec<Vec<String>> = Vec::new();
    let mut alternative = Vec::new();
    let mut excluded: Vec<Vec<String>> = Vec::new();
    let mut positive = Vec::new();
    for item in items(text) {
        match item {
            Item::Or => close(&mut alternatives, &mut alternative),
            Item::Word {
                text,
                excluded: true,
            } => close(&mut excluded, &mut analyzer.analyze_query(text)),
            Item::Word {
                text,
                excluded: false,
            } => {
                let terms = analyzer.analyze_query(text);
                scoring.extend_from_slice(&terms);
                alternative.extend(terms);
                positive.extend(text.split(is_space).filter(|word| !word.is_empty()));
            }
        }
    }
    close(&mut alternatives, &mut alternative);
    ParsedQuery {
        terms: counted(scoring),
        matching: Matching::Alternatives(alternatives),
        excluded,
        positive_text: positive.join(" "),
    }
}

/// Moves a set of terms to the others, unless it is empty (an empty one would match everything) or there already.
fn close(sets: &mut Vec<Vec<String>>, open: &mut Vec<String>) {
    let mut terms = std::mem::take(open);
    terms.sort_unstable();
    terms.dedup();
    if !terms.is_empty() && !sets.contains(&terms) {
        sets.push(terms);
    }
}

fn is_space(c: char) -> bool {
    c.is_whitespace() || c == '\0'
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\u{201C}' | '\u{201D}' | '\u{FF02}')
}

fn items(text: &str) -> Vec<Item<'_>> {
    let mut items = Vec::new();
    let mut rest = text;
    let mut at_start = true;
    while let Some(c) = rest.chars().next() {
        if is_space(c) {
            rest = after(rest, c);
            at_start = true;
            continue;
        }
        let mut excluded = false;
        if c == '-' && at_start {
            rest = after(rest, c);
            // Alone it means nothing.
            if rest.chars().next().is_none_or(is_space) {
                continue;
            }
            excluded = true;
        }
        at_start = false;
        let (word, quoted, left) = word(rest);
        rest = left;
        if !quoted && !excluded && word.eq_ignore_ascii_case("or") {
            items.push(Item::Or);
        } else {
            items.push(Item::Word {
                text: word,
                excluded,
            });
        }
    }
    items
}

/// The quoted phrase or bare word that `text` begins with, whether it is quoted, and what follows.
fn word(text: &str) -> (&str, bool, &str) {
    if let Some(quote) = text.chars().next().filter(|&c| is_quote(c)) {
        let inside = after(text, quote);
        let (phrase, rest) = match inside.split_once(is_quote) {
            Some((phrase, rest)) => (phrase, rest),
            None => (inside, ""),
        };
        return (phrase, true, rest);
    }
    let end = text
        .find(|c| is_space(c) || is_quote(c))
        .unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    (word, false, rest)
}

fn after(text: &str, first: char) -> &str {
    text.get(first.len_utf8()..).unwrap_or_default()
}
