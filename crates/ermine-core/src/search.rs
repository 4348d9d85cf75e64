//! The search contracts: a trait per search type, and the requests and answers they share.
//!
//! What a store cannot do it does not implement, so that a typed caller cannot
//! ask for it; a caller who chose the store at run time is refused by name
//! ([`Engine`](crate::Engine)). A new type of search is a new trait.

mod accuracy;
mod answer;
mod hybrid;
mod page;
mod request;
mod text_in;

use std::future::Future;

pub use accuracy::Accuracy;
pub use answer::{
    EmptyLeg, Figure, FilterPlace, HybridAnswer, HybridHit, LegHit, LegKind, LegOutcome, Outcome,
    Plan, TextAnswer, VectorAnswer,
};
pub use hybrid::{FusedHit, HybridRequest, LegCandidates, ScopedId};
pub use page::{DEFAULT_LIMIT, MAX_CANDIDATE_DEPTH, MAX_LIMIT, Page, candidate_depth};
pub use request::{
    Include, LegAnswer, LegRequest, Matching, QueryTerm, Target, TextLeg, TextQuery, TextRequest,
    VectorLeg, VectorRequest,
};
pub use text_in::{
    HybridTextInRequest, HybridVectorizableTextSearch, VectorTextInRequest, VectorizableTextSearch,
    WithProvider, embed_query,
};

pub(crate) use request::{check_scope, vector_field};

use crate::Result;

/// Search by vector.
pub trait VectorSearch: Send + Sync + 'static {
    /// The nearest documents, closest first, ties by tenant and id (rule V8):
    /// exactly min(limit, M) of the M that satisfy scope, filter and maximum
    /// distance and hold a valid vector (rule V9).
    fn vector_search(
        &self,
        request: &VectorRequest,
    ) -> impl Future<Output = Result<VectorAnswer>> + Send;
}

/// Search by text, ranked by BM25.
pub trait TextSearch: Send + Sync + 'static {
    /// The best documents, largest score first, ties by tenant and id (rules T4, T12).
    fn text_search(&self, request: &TextRequest)
    -> impl Future<Output = Result<TextAnswer>> + Send;
}

/// Several searches in one snapshot, and their fusion.
pub trait HybridSearch: Send + Sync + 'static {
    /// A text and a vector search over one type, fused by key
    /// ([`HybridRequest::fuse`]); every leg sees the same snapshot (rule T9).
    fn hybrid_search(
        &self,
        request: &HybridRequest,
    ) -> impl Future<Output = Result<HybridAnswer>> + Send;

    /// Several legs, over any types, each ranked by itself, in one snapshot; the
    /// caller fuses them by keys of its own.
    fn search_legs(
        &self,
        legs: &[LegRequest],
    ) -> impl Future<Output = Result<Vec<LegAnswer>>> + Send;
}
