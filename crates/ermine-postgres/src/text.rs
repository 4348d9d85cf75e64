//! Search by text: BM25 over the forward records and the segments built from them.

mod index;
mod leg;

pub(crate) use leg::TextScan;
