//! Text in compatibility composition, and the way back to the original's bytes.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};
use unicode_segmentation::UnicodeSegmentation;

/// A text in NFKC, in which ﬁ is fi, Ａ is A and ｶﾞ is ガ.
pub(super) struct Normal<'a> {
    text: Cow<'a, str>,
    /// Where each cluster begins: in the normalised text, and in the original. Empty when the two are equal.
    starts: Vec<(usize, usize)>,
    original_len: usize,
}

impl<'a> Normal<'a> {
    pub(super) fn new(original: &'a str) -> Self {
        if original.is_ascii() || is_nfkc_quick(original.chars()) == IsNormalized::Yes {
            return Self {
                text: Cow::Borrowed(original),
                starts: Vec::new(),
                original_len: original.len(),
            };
        }
        let mut text = String::with_capacity(original.len());
        let mut starts = Vec::new();
        for (at, cluster) in original.grapheme_indices(true) {
            starts.push((text.len(), at));
            text.extend(cluster.nfkc());
        }
        Self {
            text: Cow::Owned(text),
            starts,
            original_len: original.len(),
        }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The bytes of the original that a range of the normalised text comes from, widened to whole clusters.
    pub(super) fn original(&self, range: Range<usize>) -> Range<usize> {
        if self.starts.is_empty() {
            return range;
        }
        let begun = self.starts.partition_point(|&(at, _)| at <= range.start);
        let start = begun.checked_sub(1).and_then(|i| self.starts.get(i));
        let ended = self.starts.partition_point(|&(at, _)| at < range.end);
        let end = self.starts.get(ended);
        start.map_or(0, |&(_, at)| at)..end.map_or(self.original_len, |&(_, at)| at)
    }
}
