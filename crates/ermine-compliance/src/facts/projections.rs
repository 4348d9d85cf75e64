//! P1 to P11, P14 and P15: projections over the session API, run to their end.
//!
//! On a store that keeps no events each asserts that it says so.

mod at_open;
mod documents;
mod faults;
mod faulty;
mod folding;
mod kit;
mod model;
mod pages;
mod provider;
mod rebuild;
mod removal;
mod selectors;
mod vectors;

use crate::Fact;

pub(super) use kit::{
    Fast, Note, append, assert_notes, daemon, note_store, note_vectors, notes, open, written,
};
pub(super) use kit::{Memory, NoteEvent, memory_store, recorded};
pub(super) use model::Model;

pub(super) const FACTS: &[&[Fact]] = &[
    selectors::FACTS,
    pages::FACTS,
    vectors::FACTS,
    documents::FACTS,
    folding::FACTS,
    at_open::FACTS,
    provider::FACTS,
    faults::FACTS,
    rebuild::FACTS,
    removal::FACTS,
];
