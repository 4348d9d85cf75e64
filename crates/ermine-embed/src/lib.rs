//! Embedding providers for Ermine.
//!
//! - [`StaticModel`] loads static embeddings; [`StaticModel::bundled`] is an English model that is part of
//!   this crate, so that nothing has to be fetched to begin.
//! - [`DeterministicProvider`] is for tests and demonstrations: any number of dimensions, the same vector
//!   for the same text, and it counts what it was asked.

mod deterministic;
mod static_model;
mod wordpiece;

pub use deterministic::DeterministicProvider;
pub use static_model::{ModelError, StaticModel};
