//! From candidates to a page in total order.

use std::cmp::Ordering;

use ermine_core::{Page, Result, ScopedId};
use rusqlite::Connection;

use crate::layout::Layout;
use crate::read::key_of;

/// A document in its place of a ranking.
#[derive(Debug, Clone)]
pub(crate) struct Ranked<F> {
    pub(crate) doc: i64,
    pub(crate) key: ScopedId,
    pub(crate) figure: F,
}

/// How two matches of a ranking order.
type Compare<F> = fn((F, &ScopedId), (F, &ScopedId)) -> Ordering;

/// The page of the candidates in order: figure, then tenant, then id.
///
/// Ids are read only of candidates that can reach the page: those no worse than the
/// last of it.
pub(crate) fn in_order<F: Copy>(
    connection: &Connection,
    layout: &Layout,
    mut candidates: Vec<(i64, F)>,
    page: Page,
    compare: Compare<F>,
) -> Result<Vec<Ranked<F>>> {
    let nobody: ScopedId = (None, ermine_core::Id::I64(0));
    let by_figure = |a: &(i64, F), b: &(i64, F)| compare((a.1, &nobody), (b.1, &nobody));
    let end = page.end();
    if let Some(last) = end.checked_sub(1)
        && candidates.len() > end
    {
        let (_, last, _) = candidates.select_nth_unstable_by(last, by_figure);
        let last = *last;
        candidates.retain(|candidate| by_figure(candidate, &last).is_le());
    }
    let mut ranked = Vec::with_capacity(candidates.len());
    for (doc, figure) in candidates {
        if let Some(key) = key_of(connection, layout, doc)? {
            ranked.push(Ranked { doc, key, figure });
        }
    }
    ranked.sort_unstable_by(|a, b| compare((a.figure, &a.key), (b.figure, &b.key)));
    Ok(page.of(ranked))
}
