//! BERT's uncased WordPiece tokenisation.
//!
//! The same pieces as the `tokenizers` library makes with BERT's normaliser, pre-tokeniser and greedy
//! longest match: control characters go, Han characters stand alone, accents are stripped, letters are
//! lower-cased, punctuation splits, and each word is cut into the longest known pieces from its left,
//! the later ones spelled `##piece`. A word of more than [`MAX_WORD_CHARS`] characters, or with a part
//! that no piece covers, is unknown as a whole.
//!
//! One difference is meant: a special token spelled in the text (`[CLS]`, `[UNK]`) is ordinary text here.

mod characters;

use characters::{is_dropped, is_han, is_mark, is_punctuation};
use unicode_normalization::UnicodeNormalization;

/// A word with more characters than this is unknown as a whole.
pub(crate) const MAX_WORD_CHARS: usize = 100;

/// What a tokeniser asks of its vocabulary.
pub(crate) trait Pieces {
    /// The longest known piece that is a prefix of `rest`: its number and its length in bytes, at least 1.
    ///
    /// `continues` tells that `rest` is not the beginning of its word, so pieces with `##` are meant.
    fn longest_prefix(&self, rest: &str, continues: bool) -> Option<(u32, usize)>;
}

/// Calls `each` with the number of every known piece of `text`, in order; unknown words are left out.
pub(crate) fn tokenise(text: &str, pieces: &impl Pieces, mut each: impl FnMut(u32)) {
    let mut word = Word::default();
    let mut found = Vec::new();
    let mut end_word = |word: &mut Word| {
        word.cut(pieces, &mut found);
        found.iter().copied().for_each(&mut each);
        word.clear();
    };
    for c in text.chars().filter(|&c| !is_dropped(c)) {
        if c.is_whitespace() {
            end_word(&mut word);
        } else if is_han(c) {
            end_word(&mut word);
            normalise(c, |c| word.push(c));
            end_word(&mut word);
        } else {
            normalise(c, |c| {
                if c.is_whitespace() {
                    end_word(&mut word);
                } else if is_punctuation(c) {
                    end_word(&mut word);
                    word.push(c);
                    end_word(&mut word);
                } else {
                    word.push(c);
                }
            });
        }
    }
    end_word(&mut word);
}

/// Decomposes a character, drops its accents and lower-cases the rest.
///
/// Decomposing one character at a time leaves out only the reordering of combining marks among
/// themselves, and those that reordering can move are dropped.
fn normalise(c: char, mut each: impl FnMut(char)) {
    if c.is_ascii() {
        each(c.to_ascii_lowercase());
        return;
    }
    for part in std::iter::once(c).nfd().filter(|&c| !is_mark(c)) {
        part.to_lowercase().for_each(&mut each);
    }
}

/// The word being gathered.
#[derive(Default)]
struct Word {
    text: String,
    chars: usize,
}

impl Word {
    fn push(&mut self, c: char) {
        self.chars += 1;
        // A word that is unknown already need not be held: a megabyte without a space costs nothing.
        if self.chars <= MAX_WORD_CHARS {
            self.text.push(c);
        }
    }

    fn clear(&mut self) {
        self.text.clear();
        self.chars = 0;
    }

    /// Leaves the word's pieces in `found`, or none if any part of the word is unknown.
    fn cut(&self, pieces: &impl Pieces, found: &mut Vec<u32>) {
        found.clear();
        if self.chars > MAX_WORD_CHARS {
            return;
        }
        let mut rest = self.text.as_str();
        while !rest.is_empty() {
            let longest = pieces.longest_prefix(rest, rest.len() < self.text.len());
            let Some((piece, tail)) = longest.and_then(|(p, len)| Some((p, rest.get(len..)?)))
            else {
                found.clear();
                return;
            };
            if tail.len() == rest.len() {
                found.clear();
                return;
            }
            found.push(piece);
            rest = tail;
        }
    }
}
