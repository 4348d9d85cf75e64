//! Vector legs: the cached blocks of each field, brought up to a reader's own
//! snapshot, and the ranking over them.

mod cache;
mod leg;
mod refresh;

pub(crate) use cache::{Cache, Index};
pub(crate) use leg::rank;
