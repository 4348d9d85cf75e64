//! Where a long section is cut: between paragraphs if possible, then sentences,
//! lines, words and characters.

use std::ops::Range;

/// How long a passage should be at most, in characters.
const LONGEST: usize = 1_500;

/// What may follow a full passage without being cut off: a few lines alone are no passage.
const TAIL: usize = LONGEST / 5;

/// The parts of `text` within `section`, trimmed, in order; none where it is blank.
pub(super) fn pieces(
    text: &str,
    section: Range<usize>,
    fences: &[Range<usize>],
) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut rest = trimmed(text, section);
    while !rest.is_empty() {
        let part = text.get(rest.clone()).unwrap_or_default();
        let end = match nth_char(part, LONGEST + TAIL) {
            None => rest.end,
            Some(_) => {
                let window = nth_char(part, LONGEST).unwrap_or(part.len());
                rest.start + best(part, window, |at| inside(fences, rest.start + at))
            }
        };
        pieces.push(trimmed(text, rest.start..end));
        rest = trimmed(text, end..rest.end);
    }
    pieces
}

/// The byte of the character after the first `n`, if there are more.
fn nth_char(text: &str, n: usize) -> Option<usize> {
    text.char_indices().nth(n).map(|(at, _)| at)
}

fn inside(fences: &[Range<usize>], at: usize) -> bool {
    fences
        .iter()
        .any(|fence| fence.start < at && at < fence.end)
}

/// The best place to cut `text` within its first `window` bytes, and not in the
/// first third of them. A boundary of a better kind is taken before a later one.
fn best(text: &str, window: usize, fenced: impl Fn(usize) -> bool) -> usize {
    let mut last = [None; 4];
    let [paragraph, sentence, line, word] = &mut last;
    let mut before = ' ';
    let mut ends_sentence = false;
    let mut line_is_blank = true;
    for (at, c) in text.char_indices().take_while(|(at, _)| *at <= window) {
        if c.is_whitespace() && at > window / 3 {
            *word = Some(at);
            if ends_sentence && !fenced(at) {
                *sentence = Some(at);
            }
            if c == '\n' {
                *line = Some(at);
                if line_is_blank && !fenced(at) {
                    *paragraph = Some(at);
                }
            }
        }
        if c == '\n' {
            line_is_blank = true;
        } else if !c.is_whitespace() {
            line_is_blank = false;
        }
        ends_sentence = match c {
            '.' | '!' | '?' | '…' => true,
            // A closing quote or bracket belongs to the sentence it follows.
            '"' | '\'' | ')' | ']' | '”' | '’' | '»' => ends_sentence,
            _ => false,
        };
        // These are followed by no space.
        if matches!(before, '。' | '！' | '？') && at > window / 3 && !fenced(at) {
            *sentence = Some(at);
        }
        before = c;
    }
    last.into_iter().flatten().next().unwrap_or(window)
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = text.get(range.clone()).unwrap_or_default();
    let kept = part.trim_start();
    let start = range.end - kept.len();
    start..start + kept.trim_end().len()
}
