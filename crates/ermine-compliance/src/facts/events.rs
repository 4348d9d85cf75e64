//! E: sessions that append, aggregates, snapshots, and what upcasts, tombstones and
//! masks mean.

mod aggregates;
mod ledger;
mod metadata;
mod removals;
mod sessions;
mod snapshots;
mod upcasting;

use crate::Fact;

pub(super) const FACTS: &[&[Fact]] = &[
    sessions::FACTS,
    metadata::FACTS,
    aggregates::FACTS,
    snapshots::FACTS,
    upcasting::FACTS,
    removals::FACTS,
];
