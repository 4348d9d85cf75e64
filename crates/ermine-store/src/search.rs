//! Searches: choosing the kind, then its options, then awaiting it.

mod bounds;
mod hybrid;
mod leg;
mod matching;
mod nearest;
mod options;

use std::fmt;
use std::marker::PhantomData;

use ermine_core::{
    Backend, Filter, HybridSearch, Record, Result, TextSearch, Vector, VectorSearch,
};

pub use bounds::{MaxDistance, MinScore};
pub use hybrid::HybridQuery;
pub(crate) use leg::{VectorSearched, text_leg, vector_field};
pub use matching::MatchingQuery;
pub use nearest::NearestQuery;
pub use options::{HybridOptions, TextOptions, VectorOptions};
pub(crate) use options::{text_calls, vector_calls};

use crate::Collection;
use crate::query::both;
use crate::runtime::Context;

/// What a search looks for, where a vector is needed.
#[derive(Debug, Clone)]
pub(crate) enum Sought {
    /// This vector.
    Vector(Vector),
    /// The vector of this text.
    Text(String),
}

/// A search of one collection whose kind is yet to be chosen.
///
/// Only the kinds that the store implements have a method:
///
/// ```compile_fail,E0277
/// use ermine_core::{Backend, DynamicRecord};
/// use ermine_store::Search;
///
/// // Nothing says that this backend's store searches text.
/// fn keyword<B: Backend>(search: Search<B, DynamicRecord>) {
///     let _ = search.matching("pool timeouts");
/// }
/// ```
#[must_use = "choose what to search for, and await it"]
pub struct Search<B, R> {
    context: Context,
    collection: Result<Collection<R>>,
    filter: Option<Filter<R>>,
    backend: PhantomData<fn() -> B>,
}

impl<B: Backend, R: Record> Search<B, R> {
    pub(crate) fn new(context: Context, collection: Result<Collection<R>>) -> Self {
        Self {
            context,
            collection,
            filter: None,
            backend: PhantomData,
        }
    }

    /// Only documents that pass `filter`, and every filter given before; it
    /// applies before any limit (rules V9, T5).
    pub fn filter(mut self, filter: Filter<R>) -> Self {
        self.filter = Some(both(self.filter, filter));
        self
    }

    /// The documents nearest to `vector`, closest first.
    pub fn nearest_to(self, vector: impl Into<Vector>) -> NearestQuery<R>
    where
        B::Store: VectorSearch,
    {
        self.nearest(Sought::Vector(vector.into()))
    }

    /// The documents nearest to the vector of `text`, which the field's provider
    /// embeds once, as a query. Without a provider it is refused (rule V15).
    pub fn nearest_text(self, text: impl Into<String>) -> NearestQuery<R>
    where
        B::Store: VectorSearch,
    {
        self.nearest(Sought::Text(text.into()))
    }

    fn nearest(self, sought: Sought) -> NearestQuery<R> {
        let options = VectorOptions {
            filter: self.filter,
            ..VectorOptions::default()
        };
        NearestQuery::new(self.context, self.collection, sought, options)
    }

    /// The documents whose text answers `text` best, by BM25.
    pub fn matching(self, text: impl Into<String>) -> MatchingQuery<R>
    where
        B::Store: TextSearch,
    {
        let options = TextOptions {
            filter: self.filter,
            ..TextOptions::default()
        };
        MatchingQuery::new(self.context, self.collection, text.into(), options)
    }

    /// Both at once, fused: the text searches, and its words are embedded once
    /// by the field's provider. Without a provider it is refused (rule V15).
    pub fn hybrid(self, text: impl Into<String>) -> HybridQuery<R>
    where
        B::Store: HybridSearch,
    {
        self.fused(text.into(), None)
    }

    /// Both at once, fused: a text and a vector.
    pub fn hybrid_with(self, text: impl Into<String>, vector: impl Into<Vector>) -> HybridQuery<R>
    where
        B::Store: HybridSearch,
    {
        self.fused(text.into(), Some(vector.into()))
    }

    fn fused(self, text: String, vector: Option<Vector>) -> HybridQuery<R> {
        let options = HybridOptions {
            filter: self.filter,
            ..HybridOptions::default()
        };
        HybridQuery::new(self.context, self.collection, text, vector, options)
    }
}

impl<B, R> fmt::Debug for Search<B, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search")
            .field("collection", &self.collection)
            .field("filter", &self.filter)
            .finish()
    }
}
