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
    /// For each term, its counts per field; empty where the document lacks it.
    pub(super) counts: &'a [&'a [u32]],
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
            let counts: Vec<&[u32]> = document.counts.iter().map(Vec::as_slice).collect();
            visit(Holder {
                doc: document.doc,
                live: document.live,
                len: document.len,
                counts: &counts,
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
        let standing = |lists: &[Option<Postings<'_>>]| {
            let docs = lists.iter().flatten();
            docs.filter_map(|list| Some(list.current()?.doc)).min()
        };
        while let Some(doc) = standing(&lists) {
            at = doc;
            if !self.dead.contains(&(segment, doc)) {
                let mut len = 0;
                let counts: Vec<&[u32]> = lists
                    .iter()
                    .map(|list| {
                        let posting = list.as_ref().and_then(Postings::current);
                        posting.filter(|p| p.doc == doc).map_or(&[][..], |p| {
                            len = p.len;
                            p.counts
                        })
                    })
                    .collect();
                visit(Holder {
                    doc,
                    live: !self.hidden.contains(&doc),
                    len,
                    counts: &counts,
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
