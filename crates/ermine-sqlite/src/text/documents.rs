//! Walking over the documents that hold any of a query's terms.

use ermine_core::Result;
use ermine_text::{Postings, TextError};

use super::tenant::{TenantIndex, damaged};
use crate::layout::TextTables;

/// A document that holds at least one of the terms.
pub(super) struct Holder<'a> {
    pub(super) doc: i64,
    pub(super) live: bool,
    pub(super) len: u64,
    counts: Counts<'a>,
}

/// Where a document's counts are read from, term by term.
enum Counts<'a> {
    /// The postings of a segment, those of the document's terms standing at it.
    Postings(&'a [Option<Postings<'a>>]),
    /// A record of the tail.
    Record(&'a [Vec<u32>]),
}

impl Holder<'_> {
    /// A term's counts per field; empty where the document lacks it.
    pub(super) fn counts(&self, term: usize) -> &[u32] {
        let counts = match self.counts {
            Counts::Postings(lists) => lists
                .get(term)
                .and_then(|list| list.as_ref()?.current())
                .filter(|posting| posting.doc == self.doc)
                .map(|posting| posting.counts),
            Counts::Record(counts) => counts.get(term).map(Vec::as_slice),
        };
        counts.unwrap_or_default()
    }
}

impl TenantIndex {
    /// Calls `visit` with each document that holds any of the terms, once.
    pub(super) fn for_each(
        &self,
        text: &TextTables,
        fields: usize,
        mut visit: impl FnMut(Holder<'_>),
    ) -> Result<()> {
        for segment in &self.segments {
            self.walk(segment.number, &segment.posts, fields, &mut visit)
                .map_err(|(doc, error)| damaged(text, doc, error))?;
        }
        for document in &self.tail {
            visit(Holder {
                doc: document.doc,
                live: document.live,
                len: document.len,
                counts: Counts::Record(&document.counts),
            });
        }
        Ok(())
    }

    /// Document after document: at each, the terms whose postings stand there.
    fn walk(
        &self,
        segment: i64,
        posts: &[Option<Vec<u8>>],
        fields: usize,
        visit: &mut impl FnMut(Holder<'_>),
    ) -> std::result::Result<(), (i64, TextError)> {
        let mut lists: Vec<Option<Postings<'_>>> = posts
            .iter()
            .map(|post| post.as_ref().map(|post| Postings::new(post, fields)))
            .collect();
        let mut at = i64::MIN;
        for list in lists.iter_mut().flatten() {
            list.advance().map_err(|error| (at, error))?;
        }
        // The least document that any list stands at, and its length.
        let standing = |lists: &[Option<Postings<'_>>]| {
            let postings = lists.iter().flatten().filter_map(Postings::current);
            postings
                .map(|posting| (posting.doc, posting.len))
                .min_by_key(|(doc, _)| *doc)
        };
        while let Some((doc, len)) = standing(&lists) {
            at = doc;
            if !self.dead.contains(&(segment, doc)) {
                visit(Holder {
                    doc,
                    live: !self.hidden.contains(&doc),
                    len,
                    counts: Counts::Postings(&lists),
                });
            }
            for list in lists.iter_mut().flatten() {
                if list.current().is_some_and(|posting| posting.doc == doc) {
                    list.advance().map_err(|error| (at, error))?;
                }
            }
        }
        Ok(())
    }
}
