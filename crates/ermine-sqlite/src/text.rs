//! Text legs: postings of segments and forward records of the tail, scored by BM25.

mod documents;
mod leg;
mod tenant;

pub(crate) use leg::{excluded, rank};
