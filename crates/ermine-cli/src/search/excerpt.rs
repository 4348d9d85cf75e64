//! The part of a text that shows why it was found, with the words found marked.

use std::env;
use std::io::{IsTerminal, stdout};

use ermine::text::{Analyzer, highlight, snippet};

/// How long an excerpt is at most, in characters.
const LONGEST: usize = 240;

/// How words are marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marks {
    /// As bold, on a terminal.
    Bold,
    /// Between pairs of asterisks.
    Asterisks,
}

impl Marks {
    /// Bold where standard output is a terminal and `NO_COLOR` is not set.
    pub(crate) fn of_stdout() -> Self {
        let plain = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if stdout().is_terminal() && !plain {
            Self::Bold
        } else {
            Self::Asterisks
        }
    }

    fn around(self) -> (&'static str, &'static str) {
        match self {
            Self::Bold => ("\x1b[1m", "\x1b[0m"),
            Self::Asterisks => ("**", "**"),
        }
    }

    /// A line that stands out on a terminal, and is as it is elsewhere.
    pub(crate) fn strong(self, line: &str) -> String {
        match self {
            Self::Bold => format!("\x1b[1m{line}\x1b[0m"),
            Self::Asterisks => line.to_owned(),
        }
    }
}

/// A text on one line, in parts that were found and parts that were not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Excerpt {
    parts: Vec<(String, bool)>,
}

impl Excerpt {
    /// The excerpt of `text` that holds most of `terms`.
    pub(crate) fn of<T: AsRef<str>>(analyzer: &Analyzer, text: &str, terms: &[T]) -> Self {
        let ranges = highlight(analyzer, text, terms);
        let snippet = snippet(text, &ranges, LONGEST);
        let mut parts = Vec::new();
        let mut add = |part: &str, found: bool| {
            if !part.is_empty() {
                parts.push((one_line(part), found));
            }
        };
        if snippet.window.start > 0 {
            add("… ", false);
        }
        let mut at = 0;
        for range in &snippet.ranges {
            add(snippet.text.get(at..range.start).unwrap_or_default(), false);
            add(snippet.text.get(range.clone()).unwrap_or_default(), true);
            at = range.end;
        }
        add(snippet.text.get(at..).unwrap_or_default(), false);
        if snippet.window.end < text.trim_end().len() {
            add(" …", false);
        }
        Self { parts }
    }

    pub(crate) fn marked(&self, marks: Marks) -> String {
        let (before, after) = marks.around();
        let part = |(text, found): &(String, bool)| match found {
            true => format!("{before}{text}{after}"),
            false => text.clone(),
        };
        self.parts.iter().map(part).collect()
    }

    pub(crate) fn plain(&self) -> String {
        self.parts.iter().map(|(text, _)| text.as_str()).collect()
    }

    /// The bytes of the plain text that were found.
    pub(crate) fn found(&self) -> Vec<[usize; 2]> {
        let mut found = Vec::new();
        let mut at = 0;
        for (text, is_found) in &self.parts {
            let end = at + text.len();
            if *is_found {
                found.push([at, end]);
            }
            at = end;
        }
        found
    }
}

/// A text with every run of white space as one space, and without control characters,
/// which a terminal could obey.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut spaced = false;
    for c in text.chars() {
        if c.is_whitespace() || c.is_control() {
            if !spaced {
                line.push(' ');
            }
            spaced = true;
        } else {
            line.push(c);
            spaced = false;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use ermine::text::Language;

    use super::*;

    fn excerpt(text: &str, query: &str) -> Excerpt {
        let analyzer = Analyzer::new(Language::English);
        let terms = analyzer.analyze_query(query);
        Excerpt::of(&analyzer, text, &terms)
    }

    #[test]
    fn words_found_are_marked_and_lines_joined() {
        let excerpt = excerpt("The pools\n\ntimed  out; one pool.", "pool timing");
        assert_eq!(
            excerpt.marked(Marks::Asterisks),
            "The **pools** **timed** out; one **pool**."
        );
        assert_eq!(excerpt.marked(Marks::Bold).matches("\x1b[1m").count(), 3);
        let plain = excerpt.plain();
        assert_eq!(plain, "The pools timed out; one pool.");
        let words: Vec<&str> = excerpt
            .found()
            .into_iter()
            .map(|[a, b]| &plain[a..b])
            .collect();
        assert_eq!(words, ["pools", "timed", "pool"]);
    }

    #[test]
    fn what_was_cut_off_is_shown_by_dots() {
        let text = format!("{} pool {}", "before ".repeat(100), "after ".repeat(100));
        let excerpt = excerpt(&text, "pool").plain();
        assert!(
            excerpt.starts_with("… before") && excerpt.ends_with("after …"),
            "{excerpt}"
        );
    }

    #[test]
    fn control_characters_do_not_reach_a_terminal() {
        let excerpt = excerpt("a \x1b[2J pool\u{9b}2J\r\n", "pool");
        assert!(!excerpt.marked(Marks::Asterisks).contains(char::is_control));
    }
}
