//! Text legs: postings of segments and forward records of the tail, scored by BM25.

mod index;
mod leg;

pub(crate) use leg::{excluded, rank};
