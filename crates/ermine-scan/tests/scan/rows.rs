//! Rows to test with, and what a scan of them must find.

use std::collections::BTreeMap;

use ermine_core::{DeletedScope, Metric};
use ermine_scan::{Allowed, Blocks, Candidate, Nearest, Row, RowState, scan};
use proptest::prelude::*;

/// A row that owns its vector.
#[derive(Debug, Clone)]
pub(crate) struct OwnedRow {
    pub(crate) doc: i64,
    pub(crate) tenant: u32,
    pub(crate) state: RowState,
    pub(crate) vector: Vec<f32>,
}

impl OwnedRow {
    pub(crate) fn at(&self, slot: i64) -> Row<'_> {
        Row {
            slot,
            doc: self.doc,
            tenant: self.tenant,
            state: self.state,
            vector: &self.vector,
        }
    }
}

/// Rows by slot.
pub(crate) type Table = BTreeMap<i64, OwnedRow>;

pub(crate) fn build(dimensions: usize, table: &Table) -> Blocks {
    let mut edit = Blocks::new(dimensions).edit();
    for (slot, row) in table {
        edit.put(row.at(*slot));
    }
    edit.finish()
}

/// What [`scan`] must return, computed one row at a time.
pub(crate) fn brute_force(
    table: &Table,
    query: &[f32],
    metric: Metric,
    allowed: &Allowed<'_>,
    nearest: Nearest,
) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = table
        .iter()
        .filter(|(_, row)| allowed.tenant.is_none_or(|t| t == row.tenant))
        .filter(|(_, row)| match allowed.deleted {
            DeletedScope::Hidden => row.state == RowState::Live,
            DeletedScope::Only => row.state == RowState::SoftDeleted,
            DeletedScope::Included => true,
        })
        .filter(|(_, row)| allowed.docs.is_none_or(|docs| docs.contains(row.doc)))
        .filter_map(|(slot, row)| {
            Some(Candidate {
                slot: *slot,
                doc: row.doc,
                tenant: row.tenant,
                distance: metric.distance(&row.vector, query)?,
            })
        })
        .filter(|row| nearest.max_distance.is_none_or(|max| row.distance <= max))
        .collect();
    all.sort_by_key(|row| (row.distance, row.slot));
    let edge = nearest.k.checked_sub(1).map(|at| all.get(at).copied());
    match edge {
        None => Vec::new(),
        Some(None) => all,
        Some(Some(last)) => {
            all.retain(|row| row.distance <= last.distance);
            all
        }
    }
}

/// Every row of `blocks`, as scans under every metric see them.
pub(crate) fn contents(blocks: &Blocks, query: &[f32]) -> Vec<Vec<Candidate>> {
    let everything = Nearest {
        k: usize::MAX,
        max_distance: None,
    };
    let mut seen = Vec::new();
    for metric in Metric::ALL {
        for deleted in [DeletedScope::Hidden, DeletedScope::Only] {
            let allowed = Allowed {
                deleted,
                ..Allowed::default()
            };
            seen.push(scan(blocks, query, metric, &allowed, everything));
        }
    }
    seen
}

/// Elements that tie, cancel, overflow `f32` when squared, are denormal or are no number.
pub(crate) fn element() -> impl Strategy<Value = f32> {
    prop_oneof![
        12 => (-2_i8..=2).prop_map(f32::from),
        4 => -1.0_f32..1.0,
        1 => prop_oneof![Just(1e38_f32), Just(-3.4e38), Just(f32::MAX)],
        1 => prop_oneof![Just(1e-45_f32), Just(-1e-40), Just(f32::MIN_POSITIVE), Just(-0.0)],
    ]
}

pub(crate) fn vector(dimensions: usize) -> impl Strategy<Value = Vec<f32>> {
    prop_oneof![
        20 => prop::collection::vec(element(), dimensions),
        1 => Just(vec![0.0; dimensions]),
        1 => (prop::collection::vec(element(), dimensions), any::<prop::sample::Index>(),
              prop_oneof![Just(f32::NAN), Just(f32::INFINITY), Just(f32::NEG_INFINITY)])
            .prop_map(|(mut elements, at, bad)| {
                *at.get_mut(&mut elements) = bad;
                elements
            }),
        1 => prop::collection::vec(element(), dimensions + 1),
    ]
}

pub(crate) fn row(dimensions: usize) -> impl Strategy<Value = OwnedRow> {
    (
        0_i64..60,
        0_u32..3,
        prop::bool::weighted(0.2),
        vector(dimensions),
    )
        .prop_map(|(doc, tenant, deleted, vector)| OwnedRow {
            doc,
            tenant,
            state: if deleted {
                RowState::SoftDeleted
            } else {
                RowState::Live
            },
            vector,
        })
}
