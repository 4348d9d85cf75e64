//! Search by text and by vector, fused.

use std::future::IntoFuture;

use ermine_core::{
    BoxFuture, Feature, HybridAnswer, HybridHit, HybridMatch, HybridRequest, HybridSearch,
    HybridTextInRequest, HybridVectorizableTextSearch, Matches, Page, Record, Result, Storage,
    TextField, Vector, VectorLeg, embed_query,
};

use super::leg::TextSearched;
use super::options::{common_calls, text_calls, vector_calls};
use super::{HybridOptions, MinScore, VectorSearched, text_leg, vector_field};
use crate::Collection;
use crate::collection::Opened;
use crate::runtime::{Context, Runtime};

/// A search by text and by vector, fused by reciprocal rank; await it.
///
/// An offset above 0 needs an explicit candidate depth, the same for every page (rule T2).
#[must_use = "a search does nothing until it is awaited"]
pub struct HybridQuery<R> {
    context: Context,
    collection: Result<Collection<R>>,
    text: String,
    vector: Option<Vector>,
    options: HybridOptions<R>,
}

impl<R: Record> HybridQuery<R> {
    pub(super) fn new(
        context: Context,
        collection: Result<Collection<R>>,
        text: String,
        vector: Option<Vector>,
        options: HybridOptions<R>,
    ) -> Self {
        Self {
            context,
            collection,
            text,
            vector,
            options,
        }
    }

    /// Each leg returns this many candidates: max(4 × limit, 50) unless given, and at
    /// most 10,000.
    pub fn candidate_depth(mut self, depth: usize) -> Self {
        self.options.candidate_depth = Some(depth);
        self
    }

    /// The k of the fusion: 60 unless given. A smaller one favours what a single leg ranks first.
    pub fn k(mut self, k: u32) -> Self {
        self.options.k = k;
        self
    }

    /// Only matches of at least this fused score, the bound included.
    pub fn min_score(mut self, score: impl Into<MinScore>) -> Self {
        self.options.min_score = Some(score.into());
        self
    }

    /// How much the text leg and the vector leg count: 1 each unless given; 0 leaves one out.
    pub fn leg_weights(mut self, text: f64, vector: f64) -> Self {
        self.options.text_weight = text;
        self.options.vector_weight = vector;
        self
    }

    fn request(self) -> Result<Request<R>> {
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
        let words = TextSearched {
            text: &self.text,
            style: options.text_style,
            fields: options
                .text_fields
                .as_ref()
                .map(|fields| fields.iter().map(TextField::name).collect()),
            weights: options.column_weights.as_deref(),
            language: options.language.as_deref(),
        };
        let (text, positive) = text_leg(&collection.opened, &words)?;
        let filter = options.filter.map(|filter| filter.into_expr());
        let request = HybridRequest {
            target: self
                .context
                .target(&collection.opened, filter, options.deleted)?,
            text,
            vector: None,
            text_weight: options.text_weight,
            vector_weight: options.vector_weight,
            k: options.k,
            depth: options.candidate_depth,
            min_score: options.min_score.map(MinScore::score).transpose()?,
            page: Page {
                limit: options.limit,
                offset: options.offset,
            },
            include: options.include,
        };
        Ok(Request {
            context: self.context,
            collection,
            vector: self.vector,
            request: HybridTextInRequest {
                field,
                text: positive,
                metric,
                accuracy,
                request,
            },
        })
    }
}

common_calls!(HybridQuery, HybridOptions);
vector_calls!([R] HybridQuery<R>, options);
text_calls!([R] HybridQuery<R>, options);

struct Request<R> {
    context: Context,
    collection: Collection<R>,
    vector: Option<Vector>,
    request: HybridTextInRequest,
}

impl<R: Record> IntoFuture for HybridQuery<R> {
    type Output = Result<Matches<HybridMatch<R>>>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        let request = self.request();
        Box::pin(async move {
            let Request {
                context,
                collection,
                vector,
                request,
            } = request?;
            let include = request.request.include;
            context
                .runtime
                .await_shards(&collection.opened, include)
                .await?;
            let answer = context
                .runtime
                .hybrid(&collection.opened, vector, request)
                .await?;
            let hit = |HybridHit {
                           record,
                           score,
                           legs,
                       }| {
                let tenant = record.tenant.clone();
                let document = R::from_stored(collection.schema(), record)?;
                Ok(HybridMatch::new(document, score, legs, tenant))
            };
            let hits = answer.hits.into_iter().map(hit).collect::<Result<_>>()?;
            Ok(Matches::new(hits, answer.outcome))
        })
    }
}

impl Runtime {
    /// A hybrid search by a vector, or where there is none by the text's.
    async fn hybrid(
        &self,
        opened: &Opened,
        vector: Option<Vector>,
        request: HybridTextInRequest,
    ) -> Result<HybridAnswer> {
        if let Some(query) = vector {
            let leg = VectorLeg {
                field: request.field,
                query,
                metric: request.metric,
                accuracy: request.accuracy,
                max_distance: None,
            };
            let request = HybridRequest {
                vector: Some(leg),
                ..request.request
            };
            return self.engine.hybrid_search(&request).await;
        }
        let Some(provider) = self.provider(opened, request.field) else {
            if self.engine.embeds_hybrid_queries() {
                return self.engine.hybrid_vectorizable_text_search(&request).await;
            }
            return Err(self.no_provider(&opened.schema, request.field));
        };
        // Nothing is paid for a search that is refused anyway, or for a leg that is left out.
        self.engine.capabilities().require(Feature::HybridSearch)?;
        request.check()?;
        let query = if request.request.vector_weight > 0.0 {
            embed_query(provider, &opened.schema, request.field, &request.text).await?
        } else {
            None
        };
        let request = request.with_vector(query);
        self.engine.hybrid_search(&request).await
    }
}
