//! The exact scan.

mod kernel;
mod nearest;

use ermine_core::{DeletedScope, Distance, Metric};

use crate::row::Head;
use crate::{Blocks, DocSet};
use kernel::Query;
use nearest::Collector;

/// Which rows a scan may return; by default the live rows of every tenant.
#[derive(Debug, Clone, Copy, Default)]
pub struct Allowed<'a> {
    /// The one tenant whose rows are seen; `None` sees those of all.
    pub tenant: Option<u32>,
    /// Which rows are seen of those whose document is soft-deleted.
    pub deleted: DeletedScope,
    /// The documents that a filter left; `None` where there was no filter.
    pub docs: Option<&'a DocSet>,
}

impl Allowed<'_> {
    fn allows(&self, head: &Head) -> bool {
        self.tenant.is_none_or(|tenant| tenant == head.tenant)
            && head.state.is_seen_by(self.deleted)
            && self.docs.is_none_or(|docs| docs.contains(head.doc))
    }
}

/// How many rows a scan looks for, and how far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nearest {
    /// How many of the nearest rows are wanted.
    pub k: usize,
    /// The inclusive largest distance.
    pub max_distance: Option<Distance>,
}

/// A row that a scan found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// The row's own number.
    pub slot: i64,
    /// The document's number.
    pub doc: i64,
    /// The number of the document's tenant.
    pub tenant: u32,
    /// How far it is from the query: [`Metric::distance`] to the bit.
    pub distance: Distance,
}

/// Every allowed row that is as near as the `k`-th nearest one, by distance and then by slot.
///
/// That is the first `k` *and all that tie with the last of them*, so there may be
/// more than `k`: which of the tied come first is settled by their ids, which a
/// scan does not know (rule V8). Fewer than `k` come back only where no more
/// rows are allowed, valid under `metric` and within the largest distance (V9).
///
/// A query whose length differs, that is not finite, or that is zero under cosine
/// is at no distance from anything and finds nothing; requests with such a
/// query are refused before they come here.
pub fn scan(
    blocks: &Blocks,
    query: &[f32],
    metric: Metric,
    allowed: &Allowed<'_>,
    nearest: Nearest,
) -> Vec<Candidate> {
    scan_unless(blocks, query, metric, allowed, nearest, || false).unwrap_or_default()
}

/// A [`scan`] that asks `stop` before each chunk of at most 256 rows; `None` where it
/// was told to.
pub fn scan_unless(
    blocks: &Blocks,
    query: &[f32],
    metric: Metric,
    allowed: &Allowed<'_>,
    nearest: Nearest,
    mut stop: impl FnMut() -> bool,
) -> Option<Vec<Candidate>> {
    if nearest.k == 0 || query.len() != blocks.dimensions() {
        return Some(Vec::new());
    }
    let query = Query::new(query, metric);
    let mut collector = Collector::new(nearest);
    for chunk in blocks.chunks() {
        if stop() {
            return None;
        }
        for (heads, elements) in chunk {
            if !heads.iter().any(|head| allowed.allows(head)) {
                continue;
            }
            let distances = query.distances(heads, elements);
            for (head, distance) in heads.iter().zip(distances) {
                match distance {
                    Some(distance) if allowed.allows(head) => collector.offer(Candidate {
                        slot: head.slot,
                        doc: head.doc,
                        tenant: head.tenant,
                        distance,
                    }),
                    _ => {}
                }
            }
        }
    }
    Some(collector.finish())
}
