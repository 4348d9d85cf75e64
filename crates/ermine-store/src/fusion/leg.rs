//! One ranking of a fusion: its options while it is the last one, then its request.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use ermine_core::{
    Filter, LegKind, LegRequest, Record, Result, StoredRecord, Target, TextLeg, Vector, VectorLeg,
};

use super::{Fusion, Include};
use crate::runtime::Context;
use crate::search::{MaxDistance, VectorSearched, text_leg, vector_field};
use crate::search::{text_calls, vector_calls};
use crate::{Collection, TextOptions, VectorOptions};

/// A document whose type the fusion does not know.
pub(super) type AnyDocument = Arc<dyn Any + Send + Sync>;

/// How a stored document becomes its key and itself.
type ReadDocument<K> = Box<dyn Fn(StoredRecord) -> Result<(K, AnyDocument)> + Send>;

/// A ranking without its types.
pub struct Leg<K> {
    pub(super) target: Target,
    pub(super) ranking: Ranking,
    pub(super) weight: f64,
    pub(super) read: ReadDocument<K>,
}

pub(super) enum Ranking {
    Text(TextLeg),
    Vector(VectorLeg),
}

impl<K> Leg<K> {
    pub(super) fn kind(&self) -> LegKind {
        match self.ranking {
            Ranking::Text(_) => LegKind::Text,
            Ranking::Vector(_) => LegKind::Vector,
        }
    }

    /// Whether it excludes keys, which only it would know of.
    pub(super) fn excludes(&self) -> bool {
        matches!(&self.ranking, Ranking::Text(leg) if !leg.query.excluded.is_empty())
    }

    pub(super) fn request(&self, depth: usize, include: Include) -> LegRequest {
        let target = self.target.clone();
        match &self.ranking {
            Ranking::Text(leg) => LegRequest::Text {
                target,
                leg: leg.clone(),
                depth,
                include,
            },
            Ranking::Vector(leg) => LegRequest::Vector {
                target,
                leg: leg.clone(),
                depth,
                include,
            },
        }
    }
}

/// The leg of a fusion that was added last, with its options still open.
pub trait LastLeg<K>: Sized {
    /// The leg; `None` where there is none yet.
    #[doc(hidden)]
    fn finish(self, context: &Context) -> Option<Result<Leg<K>>>;
}

/// A fusion that has no leg yet.
#[derive(Debug, Clone, Copy)]
pub struct NoLeg;

impl<K> LastLeg<K> for NoLeg {
    fn finish(self, _: &Context) -> Option<Result<Leg<K>>> {
        None
    }
}

/// A fusion whose last leg ranks documents of type `R` by text.
pub struct TextLegOf<R, K> {
    pub(super) collection: Result<Collection<R>>,
    pub(super) text: String,
    pub(super) options: TextOptions<R>,
    pub(super) weight: f64,
    pub(super) key: Box<dyn Fn(&R) -> K + Send>,
}

impl<R, K> fmt::Debug for TextLegOf<R, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextLegOf")
            .field("text", &self.text)
            .field("weight", &self.weight)
            .finish_non_exhaustive()
    }
}

impl<R: Record, K: 'static> LastLeg<K> for TextLegOf<R, K> {
    fn finish(self, context: &Context) -> Option<Result<Leg<K>>> {
        let leg = || {
            let collection = self.collection?;
            let options = self.options;
            let (leg, _) = text_leg(&collection.opened, &options.searched(&self.text))?;
            let filter = options.filter.map(Filter::into_expr);
            Ok(Leg {
                target: context.target(&collection.opened, filter, options.deleted)?,
                ranking: Ranking::Text(leg),
                weight: self.weight,
                read: reading(collection, self.key),
            })
        };
        Some(leg())
    }
}

/// A fusion whose last leg ranks documents of type `R` by distance to a vector.
pub struct VectorLegOf<R, K> {
    pub(super) collection: Result<Collection<R>>,
    pub(super) vector: Vector,
    pub(super) options: VectorOptions<R>,
    pub(super) weight: f64,
    pub(super) key: Box<dyn Fn(&R) -> K + Send>,
}

impl<R, K> fmt::Debug for VectorLegOf<R, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VectorLegOf")
            .field("vector", &self.vector)
            .field("weight", &self.weight)
            .finish_non_exhaustive()
    }
}

impl<R: Record, K: 'static> LastLeg<K> for VectorLegOf<R, K> {
    fn finish(self, context: &Context) -> Option<Result<Leg<K>>> {
        let leg = || {
            let collection = self.collection?;
            let options = self.options;
            let name = options.vector_field.as_ref().map(|field| field.name());
            let schema = collection.schema();
            let searched = vector_field(schema, name, options.metric, options.accuracy)?;
            let VectorSearched {
                field,
                metric,
                accuracy,
            } = searched;
            let max_distance = options.max_distance.map(|bound| bound.of(metric));
            let filter = options.filter.map(Filter::into_expr);
            Ok(Leg {
                target: context.target(&collection.opened, filter, options.deleted)?,
                ranking: Ranking::Vector(VectorLeg {
                    field,
                    query: self.vector,
                    metric,
                    accuracy,
                    max_distance: max_distance.transpose()?,
                }),
                weight: self.weight,
                read: reading(collection, self.key),
            })
        };
        Some(leg())
    }
}

fn reading<R: Record, K: 'static>(
    collection: Collection<R>,
    key: Box<dyn Fn(&R) -> K + Send>,
) -> ReadDocument<K> {
    Box::new(move |stored| {
        let document = R::from_stored(collection.schema(), stored)?;
        let key = key(&document);
        let document: AnyDocument = Arc::new(document);
        Ok((key, document))
    })
}

macro_rules! leg_calls {
    ($leg:ident) => {
        impl<R, K> Fusion<K, $leg<R, K>> {
            /// Only documents that pass `filter` in the last leg, and every
            /// filter given to it before; it applies before the depth (rule T5).
            pub fn filter(mut self, filter: Filter<R>) -> Self {
                let before = self.last.options.filter.take();
                self.last.options.filter = Some(crate::query::both(before, filter));
                self
            }

            /// How much the last leg counts: 1 unless given; 0 leaves it out.
            pub fn weight(mut self, weight: f64) -> Self {
                self.last.weight = weight;
                self
            }

            /// Soft-deleted documents only, in the last leg.
            pub fn deleted(mut self) -> Self {
                self.last.options.deleted = ermine_core::DeletedScope::Only;
                self
            }

            /// Soft-deleted documents beside the live ones, in the last leg.
            pub fn including_deleted(mut self) -> Self {
                self.last.options.deleted = ermine_core::DeletedScope::Included;
                self
            }
        }
    };
}

leg_calls!(TextLegOf);
leg_calls!(VectorLegOf);
text_calls!([R, K] Fusion<K, TextLegOf<R, K>>, last.options);
vector_calls!([R, K] Fusion<K, VectorLegOf<R, K>>, last.options);

impl<R, K> Fusion<K, VectorLegOf<R, K>> {
    /// Only documents at most this far away in the last leg, the bound included.
    pub fn max_distance(mut self, distance: impl Into<MaxDistance>) -> Self {
        self.last.options.max_distance = Some(distance.into());
        self
    }
}
