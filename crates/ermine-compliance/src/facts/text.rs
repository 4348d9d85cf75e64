//! T: text and hybrid search.

mod analysis;
mod bm25;
mod depth;
mod explain;
mod fusion;
mod legs;
mod options;
mod plain;
mod snapshot;
mod statistics;
mod ties;
mod web;
mod weights;

use crate::Fact;

pub(super) const FACTS: &[&[Fact]] = &[
    options::FACTS,
    depth::FACTS,
    fusion::FACTS,
    ties::FACTS,
    legs::FACTS,
    plain::FACTS,
    web::FACTS,
    weights::FACTS,
    snapshot::FACTS,
    analysis::FACTS,
    explain::FACTS,
    bm25::FACTS,
    statistics::FACTS,
];
