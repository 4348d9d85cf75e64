//! English: stop words and the name of the stemmer.

/// The stemmer, as the analyser's identity names it. The crate is pinned to this version.
pub(super) const STEMMER: &str = "Snowball English (Porter 2), rust-stemmers 1.2.0";

/// The stop list, as the analyser's identity names it.
pub(super) const STOP_LIST: &str = "Lucene English, 33 words";

/// Lucene's English stop set, sorted.
const STOP_WORDS: [&str; 33] = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it",
    "no", "not", "of", "on", "or", "such", "that", "the", "their", "then", "there", "these",
    "they", "this", "to", "was", "will", "with",
];

pub(super) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_list_is_sorted() {
        assert!(super::STOP_WORDS.is_sorted());
    }
}
