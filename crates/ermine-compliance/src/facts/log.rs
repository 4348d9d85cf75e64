//! E, and P as far as storage goes: streams, their order, progress and leases.
//!
//! These facts use a store as the runtime does, through its engine. Each runs on the
//! stores that keep events; on one that does not, it asserts the refusal.

/// The table entries of the functions named, each given the log of a store that keeps
/// events.
macro_rules! event_facts {
    ($($name:ident),* $(,)?) => {
        /// The facts of this file.
        pub(in crate::facts) const FACTS: &[crate::Fact] = &[$(crate::Fact {
            name: stringify!($name),
            run: |world| Box::pin(async move {
                match crate::facts::log::kit::Log::of(world).await? {
                    Some(log) => $name(log).await,
                    None => Ok(()),
                }
            }),
        }),*];
    };
}

mod envelopes;
mod kit;
mod leases;
mod order;
mod pages;
mod parked;
mod progress;
mod ranges;
mod streams;
mod together;

use crate::Fact;

pub(super) const FACTS: &[&[Fact]] = &[
    streams::FACTS,
    envelopes::FACTS,
    together::FACTS,
    ranges::FACTS,
    order::FACTS,
    progress::FACTS,
    leases::FACTS,
    pages::FACTS,
    parked::FACTS,
];
