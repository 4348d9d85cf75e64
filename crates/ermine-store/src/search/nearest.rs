//! Search by vector, or by a text that is embedded.

use std::future::IntoFuture;

use ermine_core::{
    BoxFuture, Feature, Matches, Outcome, Page, Record, Result, Storage, VectorAnswer, VectorMatch,
    VectorSearch, VectorTextInRequest, VectorizableTextSearch, embed_query,
};

use super::options::{common_calls, vector_calls};
use super::{MaxDistance, Sought, VectorOptions, VectorSearched, vector_field};
use crate::Collection;
use crate::collection::Opened;
use crate::runtime::{Context, Runtime};

/// A search for the documents nearest to a vector; await it.
#[must_use = "a search does nothing until it is awaited"]
pub struct NearestQuery<R> {
    context: Context,
    collection: Result<Collection<R>>,
    sought: Sought,
    options: VectorOptions<R>,
}

impl<R: Record> NearestQuery<R> {
    pub(super) fn new(
        context: Context,
        collection: Result<Collection<R>>,
        sought: Sought,
        options: VectorOptions<R>,
    ) -> Self {
        Self {
            context,
            collection,
            sought,
            options,
        }
    }

    /// Only documents at most this far away, the bound included. It may be a
    /// distance, or a number in the metric's own unit; see [`MaxDistance`] for others.
    pub fn max_distance(mut self, distance: impl Into<MaxDistance>) -> Self {
        self.options.max_distance = Some(distance.into());
        self
    }

    fn request(self) -> Result<Request<R>> {
        let collection = self.collection?;
        let schema = collection.schema();
        let options = self.options;
        let name = options.vector_field.as_ref().map(|field| field.name());
        let VectorSearched {
            field,
            metric,
            accuracy,
        } = vector_field(schema, name, options.metric, options.accuracy)?;
        let filter = options.filter.map(|filter| filter.into_expr());
        let request = VectorTextInRequest {
            target: self
                .context
                .target(&collection.opened, filter, options.deleted)?,
            field,
            text: String::new(),
            metric,
            accuracy,
            max_distance: options
                .max_distance
                .map(|bound| bound.of(metric))
                .transpose()?,
            page: Page {
                limit: options.limit,
                offset: options.offset,
            },
            include: options.include,
        };
        Ok(Request {
            context: self.context,
            collection,
            sought: self.sought,
            request,
        })
    }
}

common_calls!(NearestQuery, VectorOptions);
vector_calls!([R] NearestQuery<R>, options);

struct Request<R> {
    context: Context,
    collection: Collection<R>,
    sought: Sought,
    request: VectorTextInRequest,
}

impl<R: Record> IntoFuture for NearestQuery<R> {
    type Output = Result<Matches<VectorMatch<R>>>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        let request = self.request();
        Box::pin(async move {
            let Request {
                context,
                collection,
                sought,
                request,
            } = request?;
            let include = request.include;
            context
                .runtime
                .await_shards(&collection.opened, include)
                .await?;
            let answer = context
                .runtime
                .nearest(&collection.opened, sought, request)
                .await?;
            let hit = |(stored, distance): (ermine_core::StoredRecord, _)| {
                let tenant = stored.tenant.clone();
                let document = R::from_stored(collection.schema(), stored)?;
                Ok(VectorMatch::new(document, distance, tenant))
            };
            let hits = answer.hits.into_iter().map(hit).collect::<Result<_>>()?;
            Ok(Matches::new(hits, Outcome::of([answer.outcome])))
        })
    }
}

impl Runtime {
    /// A vector search; `request` is complete but for what it looks for.
    async fn nearest(
        &self,
        opened: &Opened,
        sought: Sought,
        mut request: VectorTextInRequest,
    ) -> Result<VectorAnswer> {
        let text = match sought {
            Sought::Vector(vector) => {
                return self
                    .engine
                    .vector_search(&request.with_vector(vector))
                    .await;
            }
            Sought::Text(text) => text,
        };
        request.text = text;
        let Some(provider) = self.provider(opened, request.field) else {
            if self.engine.embeds_queries() {
                return self.engine.vectorizable_text_search(&request).await;
            }
            return Err(self.no_provider(&opened.schema, request.field));
        };
        // Nothing is paid for a search that is refused anyway.
        self.engine.capabilities().require(Feature::VectorSearch)?;
        request.check()?;
        match embed_query(provider, &opened.schema, request.field, &request.text).await? {
            Some(vector) => {
                self.engine
                    .vector_search(&request.with_vector(vector))
                    .await
            }
            None => Ok(VectorTextInRequest::not_representable()),
        }
    }
}
