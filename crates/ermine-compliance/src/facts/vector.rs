//! V: vector search.

mod approximate;
mod bad_values;
mod candidates;
mod declared;
mod distances;
mod limits;
mod metrics;
mod narrowing;
mod order;
mod stored_back;
mod text_in;

use crate::Fact;

pub(super) const FACTS: &[&[Fact]] = &[
    distances::FACTS,
    metrics::FACTS,
    declared::FACTS,
    bad_values::FACTS,
    candidates::FACTS,
    order::FACTS,
    narrowing::FACTS,
    approximate::FACTS,
    limits::FACTS,
    stored_back::FACTS,
    text_in::FACTS,
];
