//! The facts every Ermine store must pass, and the in-memory reference store that is their oracle.

mod reference;

pub use reference::{Reference, ReferenceStore};
