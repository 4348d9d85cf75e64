//! Which words of a text a query found.

use std::collections::HashSet;
use std::ops::Range;

use crate::Analyzer;

/// The byte ranges of the words of `text` whose terms are among `terms`, ascending and apart.
///
/// Both are compared after analysis, so a stem finds its inflections and folded letters their accents. Overlapping and
/// touching ranges, as those of a run's pairs, become one. Both ends of a range lie on characters.
///
/// ```
/// use ermine_text::{Analyzer, Language, highlight};
///
/// let analyzer = Analyzer::new(Language::English);
/// let text = "Crèmes — and 茶道具";
/// let terms = analyzer.analyze_query("creme 茶道具");
/// let found: Vec<&str> = highlight(&analyzer, text, &terms).into_iter().map(|range| &text[range]).collect();
/// assert_eq!(found, ["Crèmes", "茶道具"]);
/// ```
pub fn highlight<T: AsRef<str>>(analyzer: &Analyzer, text: &str, terms: &[T]) -> Vec<Range<usize>> {
    let terms: HashSet<&str> = terms.iter().map(AsRef::as_ref).collect();
    if terms.is_empty() {
        return Vec::new();
    }
    let mut ranges: Vec<Range<usize>> = analyzer
        .tokens(text)
        .into_iter()
        .filter(|token| terms.contains(token.term.as_str()))
        .map(|token| token.range)
        .collect();
    // A bigram and the character it begins with start alike, so starts alone do not order them.
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    let mut apart: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match apart.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => apart.push(range),
        }
    }
    apart
}
