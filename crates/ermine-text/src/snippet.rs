//! The part of a text that shows best why it was found.

use std::ops::Range;

/// A window of a text, and where the words found stand in it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Snippet<'a> {
    /// The window.
    pub text: &'a str,
    /// The window's bytes in the whole text; it tells whether something was cut at either end.
    pub window: Range<usize>,
    /// The ranges that fall into the window, counted from its start; one that reaches beyond it is cut.
    pub ranges: Vec<Range<usize>>,
}

/// The window of at most `max_chars` characters that holds most of `ranges`, the earliest of equals.
///
/// What room is left goes around the words found, and the ends move inwards to white space where that costs none of
/// them. `ranges` are those of [`highlight`](crate::highlight): ascending, apart, on characters; others are ignored.
/// Without ranges the window is the text's beginning.
///
/// ```
/// use ermine_text::{Analyzer, Language, highlight, snippet};
///
/// let analyzer = Analyzer::new(Language::English);
/// let text = "Long before that, nobody knew why the pool had timed out at night, every night.";
/// let ranges = highlight(&analyzer, text, &["pool", "night"]);
/// let snippet = snippet(text, &ranges, 50);
/// assert_eq!(snippet.text, "why the pool had timed out at night, every night.");
/// assert_eq!(&snippet.text[snippet.ranges[0].clone()], "pool");
/// ```
pub fn snippet<'a>(text: &'a str, ranges: &[Range<usize>], max_chars: usize) -> Snippet<'a> {
    let usable: Vec<Range<usize>> = usable(text, ranges);
    let best = best(text, &usable, max_chars);
    let core = match (usable.get(best.start), usable.get(best.end.wrapping_sub(1))) {
        (Some(first), Some(last)) => first.start..last.end,
        _ => 0..0,
    };
    let window = window(text, core, max_chars);
    let ranges = usable
        .iter()
        .map(|range| range.start.max(window.start)..range.end.min(window.end))
        .filter(|range| range.start < range.end)
        .map(|range| range.start - window.start..range.end - window.start)
        .collect();
    Snippet {
        text: text.get(window.clone()).unwrap_or_default(),
        window,
        ranges,
    }
}

fn usable(text: &str, ranges: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut end = 0;
    let mut usable = Vec::new();
    for range in ranges {
        if range.start >= end && range.start < range.end && text.get(range.clone()).is_some() {
            end = range.end;
            usable.push(range.clone());
        }
    }
    usable
}

/// Which of the ranges the best window holds.
fn best(text: &str, ranges: &[Range<usize>], max_chars: usize) -> Range<usize> {
    let chars = |range: Range<usize>| text.get(range).map_or(0, |part| part.chars().count());
    // The length in characters from the first range to the last grows and shrinks as the two move; each part of the
    // text is counted twice at most.
    let mut best = 0..0;
    let mut first = 0;
    let mut length = 0;
    let mut counted = ranges.first().map_or(0, |range| range.start);
    for (last, range) in ranges.iter().enumerate() {
        length += chars(counted..range.end);
        counted = range.end;
        while length > max_chars && first < last {
            let from = ranges.get(first).map_or(0, |range| range.start);
            let to = ranges.get(first + 1).map_or(from, |range| range.start);
            length -= chars(from..to);
            first += 1;
        }
        if last + 1 - first > best.len() {
            best = first..last + 1;
        }
    }
    best
}

/// `core` with room around it up to `max_chars` characters, or its beginning if it is longer than that.
fn window(text: &str, core: Range<usize>, max_chars: usize) -> Range<usize> {
    let (before, rest) = text.split_at_checked(core.start).unwrap_or(("", text));
    let (inside, after) = rest
        .split_at_checked(core.end - core.start)
        .unwrap_or((rest, ""));
    let inside_chars = inside.chars().count();
    let Some(room) = max_chars.checked_sub(inside_chars) else {
        let end = nth_char(rest, max_chars);
        return core.start..core.start + end;
    };
    // A third goes before, and what one side does not need the other gets.
    let after_chars = after.chars().take(room).count();
    let left = (room / 3).max(room - after_chars);
    let start = before.char_indices().rev().take(left).last();
    let start = start.map_or(core.start, |(at, _)| at);
    let taken = text
        .get(start..core.start)
        .map_or(0, |part| part.chars().count());
    let end = core.end + nth_char(after, room - taken);
    inwards(text, &core, start..end)
}

/// The byte at which the character after the first `n` begins.
fn nth_char(text: &str, n: usize) -> usize {
    text.char_indices().nth(n).map_or(text.len(), |(at, _)| at)
}

/// Moves cut ends to white space, never into `core`.
fn inwards(text: &str, core: &Range<usize>, window: Range<usize>) -> Range<usize> {
    let Range { mut start, mut end } = window;
    let breaks_before = text
        .get(..start)
        .is_none_or(|before| before.chars().next_back().is_none_or(char::is_whitespace));
    if let Some(lead) = text.get(start..core.start).filter(|_| !breaks_before)
        && let Some(at) = lead.find(char::is_whitespace)
    {
        start += at;
    }
    let breaks_after = text
        .get(end..)
        .is_none_or(|after| after.chars().next().is_none_or(char::is_whitespace));
    if let Some(tail) = text.get(core.end..end).filter(|_| !breaks_after)
        && let Some(at) = tail.rfind(char::is_whitespace)
    {
        end = core.end + at;
    }
    if let Some(lead) = text.get(start..core.start) {
        start += lead.len() - lead.trim_start().len();
    }
    if let Some(tail) = text.get(core.end..end) {
        end -= tail.len() - tail.trim_end().len();
    }
    start..end
}
