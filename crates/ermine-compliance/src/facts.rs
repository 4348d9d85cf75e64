//! The facts: what every store must do, each written once.
//!
//! A fact is a function that is given an empty database, uses it through the
//! runtime as an application does, and fails where a rule of `docs/semantics.md`
//! is not kept. Its name begins with the rule it belongs to.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "facts are tests"
)]

/// The table entries of the functions named.
macro_rules! facts {
    ($($name:ident),* $(,)?) => {
        /// The facts of this file.
        pub(super) const FACTS: &[crate::Fact] = &[$(crate::Fact {
            name: stringify!($name),
            run: |world| Box::pin($name(world)),
        }),*];
    };
}

mod daemon;
mod documents;
mod events;
mod filters;
mod kit;
mod log;
mod projections;
mod provider;
mod text;
mod vector;
mod world;

use ermine_core::{BoxFuture, Result};

pub use world::World;

/// What a fact's function returns: an error that nobody expected fails it, and
/// so does a panic.
pub type Verdict = Result<()>;

/// An entry of the table.
#[derive(Clone, Copy)]
pub struct Fact {
    /// What it states, its rule first.
    pub name: &'static str,
    /// Tests it on an empty database.
    pub run: fn(World) -> BoxFuture<'static, Verdict>,
}

impl Fact {
    /// The rule it belongs to, such as `V9`.
    pub fn rule(&self) -> String {
        let (rule, _) = self.name.split_once('_').unwrap_or((self.name, ""));
        rule.to_uppercase()
    }

    /// Whether it searches: such a fact needs a declared vector or text field,
    /// and cannot hold on a store that was not told of one.
    pub fn searches(&self) -> bool {
        self.name.starts_with(['v', 't'])
    }
}

/// Every fact, in the order of the rules' families.
pub fn facts() -> impl Iterator<Item = &'static Fact> {
    let families = [
        vector::FACTS,
        text::FACTS,
        filters::FACTS,
        documents::FACTS,
        log::FACTS,
        events::FACTS,
        projections::FACTS,
        daemon::FACTS,
    ];
    families.into_iter().flatten().copied().flatten()
}
