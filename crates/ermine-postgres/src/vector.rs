//! Search by vector: pgvector's candidates, Ermine's distances.

mod approximate;
mod leg;
mod margin;
mod search_effort;

pub(crate) use leg::rank;
