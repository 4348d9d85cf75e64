//! P1, P10 and P13: the daemon while it runs, who leads, and waiting for it.
//!
//! On a store that keeps no events each asserts that it says so.

mod leading;
mod policies;
mod running;
mod waiting;

use crate::Fact;

pub(super) const FACTS: &[&[Fact]] = &[
    running::FACTS,
    leading::FACTS,
    policies::FACTS,
    waiting::FACTS,
];
