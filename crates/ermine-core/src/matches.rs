//! What an application's search returns.

use std::any::Any;
use std::ops::Deref;
use std::sync::Arc;

use crate::{Distance, LegHit, Outcome, Score, TenantId};

/// The matches of a search, best first: a slice, with how they were found.
#[derive(Debug, Clone)]
pub struct Matches<M> {
    matches: Vec<M>,
    outcome: Outcome,
}

impl<M> Matches<M> {
    /// Matches with how they were found.
    pub fn new(matches: Vec<M>, outcome: Outcome) -> Self {
        Self { matches, outcome }
    }

    /// How they were found: plans, rows read, and why a leg is empty.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// The matches, without the outcome.
    pub fn into_vec(self) -> Vec<M> {
        self.matches
    }
}

macro_rules! documents {
    ($($type:ident),*) => {$(
        impl<D> Matches<$type<D>> {
            /// The documents alone, best first.
            pub fn documents(&self) -> impl ExactSizeIterator<Item = &D> {
                self.matches.iter().map(|hit| &hit.document)
            }

            /// The documents alone, best first, without a copy.
            pub fn into_documents(self) -> impl ExactSizeIterator<Item = D> {
                self.matches.into_iter().map(|hit| hit.document)
            }
        }
    )*};
}

documents!(VectorMatch, TextMatch, HybridMatch);

impl<M> Deref for Matches<M> {
    type Target = [M];
    fn deref(&self) -> &[M] {
        &self.matches
    }
}

impl<M> IntoIterator for Matches<M> {
    type Item = M;
    type IntoIter = std::vec::IntoIter<M>;
    fn into_iter(self) -> Self::IntoIter {
        self.matches.into_iter()
    }
}

impl<'a, M> IntoIterator for &'a Matches<M> {
    type Item = &'a M;
    type IntoIter = std::slice::Iter<'a, M>;
    fn into_iter(self) -> Self::IntoIter {
        self.matches.iter()
    }
}

/// A document found by vector.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct VectorMatch<D> {
    /// The document.
    pub document: D,
    /// How far it is from the query: smaller is closer, on every metric.
    pub distance: Distance,
    /// Whose it is; `None` for a type without tenants.
    pub tenant: Option<TenantId>,
}

/// A document found by text.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TextMatch<D> {
    /// The document.
    pub document: D,
    /// How well it answers the query: larger is better.
    pub score: Score,
    /// Whose it is; `None` for a type without tenants.
    pub tenant: Option<TenantId>,
}

/// A document found by text, by vector, or by both.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct HybridMatch<D> {
    /// The document.
    pub document: D,
    /// The fused score: larger is better.
    pub score: Score,
    /// Each leg that found it: its rank, raw figure, weight and contribution.
    pub legs: Vec<LegHit>,
    /// Whose it is; `None` for a type without tenants.
    pub tenant: Option<TenantId>,
}

/// A key found by the legs of a fusion over several types.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FusedMatch<K> {
    /// The key.
    pub key: K,
    /// The fused score: larger is better.
    pub score: Score,
    /// Each leg that found it.
    pub legs: Vec<LegHit>,
    documents: Vec<Arc<dyn Any + Send + Sync>>,
}

impl<K> FusedMatch<K> {
    /// A fused match with the documents its legs found, one per entry of `legs`.
    pub fn new(
        key: K,
        score: Score,
        legs: Vec<LegHit>,
        documents: Vec<Arc<dyn Any + Send + Sync>>,
    ) -> Self {
        Self {
            key,
            score,
            legs,
            documents,
        }
    }

    /// The first document of type `D` that a leg found under this key.
    pub fn document<D: 'static>(&self) -> Option<&D> {
        self.documents
            .iter()
            .find_map(|document| document.downcast_ref())
    }
}

macro_rules! constructors {
    ($($type:ident { $($field:ident: $kind:ty),* })*) => {$(
        impl<D> $type<D> {
            /// A match; for the runtime, which is where they are made.
            #[doc(hidden)]
            pub fn new(document: D, $($field: $kind,)* tenant: Option<TenantId>) -> Self {
                Self { document, $($field,)* tenant }
            }
        }
    )*};
}

constructors! {
    VectorMatch { distance: Distance }
    TextMatch { score: Score }
    HybridMatch { score: Score, legs: Vec<LegHit> }
}
