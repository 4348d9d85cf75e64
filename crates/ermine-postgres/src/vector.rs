//! Search by vector: pgvector's candidates, Ermine's distances.

mod leg;
mod margin;

pub(crate) use leg::rank;
