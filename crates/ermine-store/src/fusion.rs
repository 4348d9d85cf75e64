//! Fusion of rankings over any types, by a key of the caller's.

mod leg;
mod run;

use std::fmt;
use std::future::IntoFuture;
use std::hash::Hash;

use ermine_core::{
    BoxFuture, DEFAULT_K, DEFAULT_LIMIT, Document, FusedMatch, Include, Matches, Record, Result,
    Token, Vector,
};

use self::leg::{LastLeg, Leg};
pub use self::leg::{NoLeg, TextLegOf, VectorLegOf};
use crate::runtime::Context;
use crate::search::MinScore;
use crate::{Collection, TextOptions, VectorOptions};

/// What rankings over different types can be fused by: implemented for every
/// type that compares, hashes and orders.
pub trait FusionKey: Clone + Eq + Hash + Ord + Send + 'static {}

impl<K: Clone + Eq + Hash + Ord + Send + 'static> FusionKey for K {}

/// Rankings over any types, seen in one snapshot and fused by reciprocal rank; await it.
///
/// Calls like [`filter`](Fusion::filter) configure the leg added last; `L` says which kind it is.
/// A key that a leg repeats counts at its first place only. An offset above 0
/// needs an explicit candidate depth, the same for every page (rules T2, T3, T9).
#[must_use = "a fusion does nothing until it is awaited"]
pub struct Fusion<K, L = NoLeg> {
    context: Context,
    legs: Vec<Result<Leg<K>>>,
    last: L,
    settings: Settings,
}

/// What holds for the whole fusion.
#[derive(Debug, Clone)]
struct Settings {
    k: u32,
    depth: Option<usize>,
    limit: usize,
    offset: usize,
    min_score: Option<MinScore>,
    include: Include,
}

impl<K: FusionKey> Fusion<K> {
    pub(crate) fn new(context: Context) -> Self {
        Self {
            context,
            legs: Vec::new(),
            last: NoLeg,
            settings: Settings {
                k: DEFAULT_K,
                depth: None,
                limit: DEFAULT_LIMIT,
                offset: 0,
                min_score: None,
                include: Include::default(),
            },
        }
    }
}

impl<K: FusionKey, L: LastLeg<K>> Fusion<K, L> {
    /// Adds a ranking of the documents of type `D` by text.
    pub fn text<D: Document>(
        self,
        text: impl Into<String>,
        key: impl Fn(&D) -> K + Send + 'static,
    ) -> Fusion<K, TextLegOf<D, K>> {
        let collection = self.context.runtime.typed();
        self.text_leg(collection, text.into(), Box::new(key))
    }

    /// Adds a ranking of a collection's documents by text.
    pub fn text_in<R: Record>(
        self,
        collection: &Collection<R>,
        text: impl Into<String>,
        key: impl Fn(&R) -> K + Send + 'static,
    ) -> Fusion<K, TextLegOf<R, K>> {
        self.text_leg(Ok(collection.clone()), text.into(), Box::new(key))
    }

    fn text_leg<R: Record>(
        self,
        collection: Result<Collection<R>>,
        text: String,
        key: Box<dyn Fn(&R) -> K + Send>,
    ) -> Fusion<K, TextLegOf<R, K>> {
        self.then(TextLegOf {
            collection,
            text,
            options: TextOptions::default(),
            weight: 1.0,
            key,
        })
    }

    /// Adds a ranking of the documents of type `D` by distance to a vector.
    pub fn vector<D: Document>(
        self,
        vector: impl Into<Vector>,
        key: impl Fn(&D) -> K + Send + 'static,
    ) -> Fusion<K, VectorLegOf<D, K>> {
        let collection = self.context.runtime.typed();
        self.vector_leg(collection, vector.into(), Box::new(key))
    }

    /// Adds a ranking of a collection's documents by distance to a vector.
    pub fn vector_in<R: Record>(
        self,
        collection: &Collection<R>,
        vector: impl Into<Vector>,
        key: impl Fn(&R) -> K + Send + 'static,
    ) -> Fusion<K, VectorLegOf<R, K>> {
        self.vector_leg(Ok(collection.clone()), vector.into(), Box::new(key))
    }

    fn vector_leg<R: Record>(
        self,
        collection: Result<Collection<R>>,
        vector: Vector,
        key: Box<dyn Fn(&R) -> K + Send>,
    ) -> Fusion<K, VectorLegOf<R, K>> {
        self.then(VectorLegOf {
            collection,
            vector,
            options: VectorOptions::default(),
            weight: 1.0,
            key,
        })
    }

    fn then<N>(mut self, next: N) -> Fusion<K, N> {
        self.legs.extend(self.last.finish(&self.context));
        Fusion {
            context: self.context,
            legs: self.legs,
            last: next,
            settings: self.settings,
        }
    }

    /// At most `limit` keys: 10 unless given; above 10,000 is refused.
    pub fn limit(mut self, limit: usize) -> Self {
        self.settings.limit = limit;
        self
    }

    /// Leaves out the first `offset` keys of the order.
    pub fn offset(mut self, offset: usize) -> Self {
        self.settings.offset = offset;
        self
    }

    /// Each leg returns this many candidates: max(4 × limit, 50) unless given, and at
    /// most 10,000.
    pub fn candidate_depth(mut self, depth: usize) -> Self {
        self.settings.depth = Some(depth);
        self
    }

    /// The k of the fusion: 60 unless given.
    pub fn k(mut self, k: u32) -> Self {
        self.settings.k = k;
        self
    }

    /// Only keys of at least this fused score, the bound included.
    pub fn min_score(mut self, score: impl Into<MinScore>) -> Self {
        self.settings.min_score = Some(score.into());
        self
    }

    /// Loads vectors too; without it they are `Embedding::NotLoaded`.
    pub fn with_vectors(mut self) -> Self {
        self.settings.include.vectors = true;
        self
    }

    /// Answers from a snapshot that holds the commit of `token`.
    pub fn at_least(mut self, token: Token) -> Self {
        self.settings.include.at_least = Some(token);
        self
    }
}

impl<K: FusionKey, L: LastLeg<K>> IntoFuture for Fusion<K, L> {
    type Output = Result<Matches<FusedMatch<K>>>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        let Fusion {
            context,
            legs,
            settings,
            ..
        } = self.then(NoLeg);
        Box::pin(run::run(context, legs, settings))
    }
}

impl<K, L> fmt::Debug for Fusion<K, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fusion")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
