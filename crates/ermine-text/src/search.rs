//! A search over one index: what it holds of a query's terms, which documents match, and what they score.

mod index;
mod plan;

pub use self::index::{Holder, Liveness, TermIndex};
pub use self::plan::SearchPlan;
