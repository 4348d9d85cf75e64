//! P3 to P11, P14 and P15: projections over the session API, run to their end.
//!
//! On a store that keeps no events each asserts that it says so.

mod kit;
mod model;
mod selectors;
mod vectors;

use crate::Fact;

pub(super) const FACTS: &[&[Fact]] = &[selectors::FACTS, vectors::FACTS];
