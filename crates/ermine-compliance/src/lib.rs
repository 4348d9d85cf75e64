//! The facts every Ermine store must pass, and the in-memory reference store that is their oracle.
//!
//! A fact is written once, over the runtime ([`facts`] lists them all), and a
//! store is held to it through a [`Fixture`]: see `tests/` of this crate, where
//! every store is enrolled. What the facts state is written for users in
//! `docs/semantics.md`, rule by rule.

mod facts;
mod fixture;
mod reference;

pub use facts::{Fact, Verdict, World, facts};
pub use fixture::{Database, Fixture, Overwriting, Place};
pub use reference::{Reference, ReferenceFixture, ReferenceStore};
