//! From text to terms (rule T10).

mod english;
mod fold;
mod normal;
mod runs;
mod scripts;
mod stretches;

use std::fmt;
use std::ops::Range;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation;

use self::fold::fold;
use self::normal::Normal;
use self::runs::{emit_run, units};
use self::stretches::{Kind, stretches};
use crate::{ForwardRecord, Language};

/// Terms are cut to this many bytes, at a character.
pub const MAX_TERM_BYTES: usize = 1024;

/// Changes whenever the same text would give other terms for a reason that no version of a table or crate tells.
const RECIPE: u32 = 2;

/// A term and where its word stands in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Token {
    /// The term: what the index holds.
    pub term: String,
    /// The word's place in its text, from 0; stop words leave a gap.
    pub position: u32,
    /// The bytes of the original text that the term stands for; both ends lie on characters.
    pub range: Range<usize>,
    /// Whether the term counts towards the document's length: a single character beside its bigrams does not.
    pub counted: bool,
}

/// Turns text into terms, alike on every store (rule T10).
///
/// In this order: compatibility composition (NFKC); word segmentation by Unicode's UAX #29, split also at `.`, `:` and
/// `_` unless digits stand on both sides; folding of case and diacritics; the language's stop words and stemming; a cut
/// at [`MAX_TERM_BYTES`]. Runs of Han, kana, Hangul, Thai, Lao, Khmer and Burmese, which are written without spaces or
/// with words that grow, become overlapping pairs of characters. In a document each single character is a term beside
/// the pairs; in a query only a lone one is. A character here is an extended grapheme cluster: a Thai consonant with
/// its vowel sign is one.
///
/// What folding does: full Unicode case folding (ß is ss, ς is σ); marks are dropped from Latin and Greek letters and
/// digits; strokes and ligatures too (ø o, ł l, đ d, æ ae, œ oe, þ th); Cyrillic ё becomes е and stress marks go, while
/// й, ї, ў, ѓ and ќ, letters of their own, stay; Hebrew and Arabic vowel points and the tatweel go, the hamza stays.
/// Marks of all other scripts, kana voicing and Indic vowel signs among them, belong to their letters and stay.
/// A word has at least one letter or digit that stands by itself: a mark alone, on a space or on nothing, is no term.
///
/// ```
/// use ermine_text::{Analyzer, Language};
///
/// let analyzer = Analyzer::new(Language::English);
/// assert_eq!(analyzer.analyze_query("The Crème-Brûlée recipes"), ["creme", "brule", "recip"]);
/// assert_eq!(analyzer.analyze_query("error:timeout @nasa C++"), ["error", "timeout", "nasa", "c"]);
/// assert_eq!(analyzer.analyze_query("茶道具"), ["茶道", "道具"]);
/// assert_eq!(analyzer.analyze_query("茶"), ["茶"]);
/// assert!(analyzer.analyze_query("🚀 … \"*\"").is_empty());
/// ```
pub struct Analyzer {
    language: Language,
    stemmer: Option<Stemmer>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Document,
    Query,
}

impl Analyzer {
    /// The analyser of a language.
    pub fn new(language: Language) -> Self {
        let stemmer = match language {
            Language::None => None,
            Language::English => Some(Stemmer::create(Algorithm::English)),
        };
        Self { language, stemmer }
    }

    /// The language the analyser was made for.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Names everything that decides which terms a text has.
    ///
    /// A store keeps it beside the index and refuses to open with another one (rule D7): recipe of this crate,
    /// language, the Unicode versions of the tables in use, stemmer with its version, and stop list.
    pub fn identity(&self) -> String {
        let (a, b, c) = unicode_segmentation::UNICODE_VERSION;
        let (d, e, f) = unicode_normalization::UNICODE_VERSION;
        let (g, h, i) = caseless::UNICODE_VERSION;
        let (stemmer, stop) = match self.language {
            Language::None => ("none", "none"),
            Language::English => (english::STEMMER, english::STOP_LIST),
        };
        format!(
            "ermine-text recipe {RECIPE}; language {}; words Unicode {a}.{b}.{c}; normalisation Unicode {d}.{e}.{f}; \
             case Unicode {g}.{h}.{i}; stemmer {stemmer}; stop words {stop}",
            self.language
        )
    }

    /// The forward record of a document whose text fields are given in the order of declaration.
    ///
    /// An absent field holds nothing, like an empty one.
    ///
    /// ```
    /// use ermine_text::{Analyzer, Language};
    ///
    /// let analyzer = Analyzer::new(Language::English);
    /// let record = analyzer.analyze_document(&[Some("Pool"), Some("the pool times out"), None]);
    /// assert_eq!(record.len(), 4); // "the" is a stop word
    /// assert_eq!(record.counts("pool"), Some([1, 1, 0].as_slice()));
    /// ```
    pub fn analyze_document(&self, fields: &[Option<&str>]) -> ForwardRecord {
        let mut builder = ForwardRecord::builder(fields.len());
        for (field, text) in fields.iter().enumerate() {
            self.scan(text.unwrap_or_default(), Role::Document, &mut |token| {
                builder.add(field, token);
            });
        }
        builder.finish()
    }

    /// The terms of a query, or of a part of one, in the order of the text and as often as they occur.
    ///
    /// No string fails; one of stop words, punctuation or emoji has no terms. U+0000 separates words.
    pub fn analyze_query(&self, text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        self.scan(text, Role::Query, &mut |token| terms.push(token.term));
        terms
    }

    /// The tokens of a document's text, in the order of their positions.
    pub fn tokens(&self, text: &str) -> Vec<Token> {
        let mut tokens = Vec::new();
        self.scan(text, Role::Document, &mut |token| tokens.push(token));
        tokens
    }

    fn scan(&self, text: &str, role: Role, emit: &mut dyn FnMut(Token)) {
        let normal = Normal::new(text);
        let mut position = 0u32;
        for stretch in stretches(normal.text()) {
            let part = normal.text().get(stretch.range.clone()).unwrap_or_default();
            match stretch.kind {
                Kind::Words => {
                    for (at, word) in part.unicode_word_indices() {
                        let start = stretch.range.start + at;
                        let Some(folded) = folded_word(word) else {
                            continue;
                        };
                        if let Some(term) = self.word_term(folded) {
                            emit(Token {
                                term,
                                position,
                                range: normal.original(start..start + word.len()),
                                counted: true,
                            });
                        }
                        position = position.saturating_add(1);
                    }
                }
                Kind::Run => {
                    let units = units(&normal, part, stretch.range.start);
                    emit_run(&units, role, position, emit);
                    let count = u32::try_from(units.len()).unwrap_or(u32::MAX);
                    position = position.saturating_add(count);
                }
            }
        }
    }

    /// The term of a folded word, unless it is a stop word.
    fn word_term(&self, word: String) -> Option<String> {
        let Some(stemmer) = &self.stemmer else {
            return Some(word);
        };
        if english::is_stop_word(&word) {
            return None;
        }
        // The stemmer knows ASCII words only, and a word in another script has nothing it could cut.
        if !word.is_ascii() {
            return Some(word);
        }
        let stem = stemmer.stem(&word);
        Some(if stem.is_empty() {
            word
        } else {
            stem.into_owned()
        })
    }
}

impl fmt::Debug for Analyzer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Analyzer")
            .field("language", &self.language)
            .finish_non_exhaustive()
    }
}

impl Clone for Analyzer {
    fn clone(&self) -> Self {
        Self::new(self.language)
    }
}

fn folded_word(word: &str) -> Option<String> {
    // Some marks fold to letters, and some letters fold to nothing.
    if !has_standing_character(word) {
        return None;
    }
    let mut folded = fold(word);
    if !has_standing_character(&folded) {
        return None;
    }
    cut(&mut folded);
    let trimmed = folded.trim_matches('\'');
    if trimmed.is_empty() {
        None
    } else if trimmed.len() == folded.len() {
        Some(folded)
    } else {
        Some(trimmed.to_owned())
    }
}

/// Whether there is a letter or digit that is no mark on another character: Unicode's words also have those that only
/// hold a mark with the properties of a letter, on a space.
fn has_standing_character(word: &str) -> bool {
    word.chars()
        .any(|c| c.is_alphanumeric() && !is_combining_mark(c))
}

/// Cuts a term to its greatest length, at a character.
fn cut(term: &mut String) {
    let end = term.floor_char_boundary(MAX_TERM_BYTES);
    term.truncate(end);
}
