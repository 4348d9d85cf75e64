//! Searches that are given text where a vector is needed.
//!
//! A store that embeds in its own service implements these two traits itself;
//! for every other, [`WithProvider`] supplies them from a provider.

use std::future::Future;

use super::request::vector_field;
use super::{
    Accuracy, HybridAnswer, HybridRequest, HybridSearch, Include, LegKind, LegOutcome, Page,
    Target, TextLeg, VectorAnswer, VectorLeg, VectorRequest, VectorSearch,
};
use crate::{
    Distance, DynEmbeddingProvider, EmbeddingProvider, Error, ErrorKind, Metric, Result, Role,
    Schema, Vector, embed_checked,
};

/// Vector search by text, embedded downstream.
pub trait VectorizableTextSearch: Send + Sync + 'static {
    /// Embeds the text once, with the query role, and searches by the vector. A
    /// text that cannot be represented finds nothing, and the outcome says so.
    fn vectorizable_text_search(
        &self,
        request: &VectorTextInRequest,
    ) -> impl Future<Output = Result<VectorAnswer>> + Send;
}

/// Hybrid search by one text, embedded downstream for its vector leg.
pub trait HybridVectorizableTextSearch: Send + Sync + 'static {
    /// Embeds the text once, with the query role, and runs both legs.
    fn hybrid_vectorizable_text_search(
        &self,
        request: &HybridTextInRequest,
    ) -> impl Future<Output = Result<HybridAnswer>> + Send;
}

/// A vector search whose query is still text.
#[derive(Debug, Clone)]
pub struct VectorTextInRequest {
    /// Where it looks.
    pub target: Target,
    /// The place of the field in [`Schema::vectors`].
    pub field: usize,
    /// The text to embed.
    pub text: String,
    /// The metric.
    pub metric: Metric,
    /// Whether near neighbours may be missed.
    pub accuracy: Accuracy,
    /// The inclusive largest distance.
    pub max_distance: Option<Distance>,
    /// Which part of the order it returns.
    pub page: Page,
    /// What else it wants.
    pub include: Include,
}

impl VectorTextInRequest {
    /// Refuses what [`VectorRequest::check`] refuses, before anything is embedded.
    ///
    /// # Errors
    ///
    /// Those of [`VectorRequest::check`].
    pub fn check(&self) -> Result<()> {
        self.target.check()?;
        vector_field(&self.target.schema, self.field)?;
        self.page.check()
    }

    /// The same search with the text's vector.
    pub fn with_vector(&self, query: Vector) -> VectorRequest {
        VectorRequest {
            target: self.target.clone(),
            leg: VectorLeg {
                field: self.field,
                query,
                metric: self.metric,
                accuracy: self.accuracy,
                max_distance: self.max_distance,
            },
            page: self.page,
            include: self.include,
        }
    }

    /// The answer where the provider cannot represent the text.
    pub fn not_representable() -> VectorAnswer {
        VectorAnswer {
            hits: Vec::new(),
            outcome: LegOutcome::empty(LegKind::Vector, super::EmptyLeg::NotRepresentable),
        }
    }
}

/// A hybrid search whose vector is still text.
#[derive(Debug, Clone)]
pub struct HybridTextInRequest {
    /// The place of the field in [`Schema::vectors`].
    pub field: usize,
    /// The text to embed: the positive words, without operators.
    pub text: String,
    /// The metric of the vector leg.
    pub metric: Metric,
    /// Whether the vector leg may miss near neighbours.
    pub accuracy: Accuracy,
    /// Everything else; its vector leg is not read.
    pub request: HybridRequest,
}

impl HybridTextInRequest {
    /// Refuses what [`HybridRequest::check`] refuses, before anything is embedded.
    ///
    /// # Errors
    ///
    /// Those of [`HybridRequest::check`].
    pub fn check(&self) -> Result<()> {
        vector_field(&self.request.target.schema, self.field)?;
        self.request.check()
    }

    /// The text leg, analysed.
    pub fn text_leg(&self) -> &TextLeg {
        &self.request.text
    }

    /// The same search with the text's vector, or without where there is none.
    pub fn with_vector(&self, query: Option<Vector>) -> HybridRequest {
        HybridRequest {
            vector: query.map(|query| VectorLeg {
                field: self.field,
                query,
                metric: self.metric,
                accuracy: self.accuracy,
                max_distance: None,
            }),
            ..self.request.clone()
        }
    }
}

/// Embeds one query text for a field: one call, the query role, refused where
/// the provider's vectors do not fit the field. `None` where the text cannot be
/// represented.
///
/// # Errors
///
/// `NoProvider`; those of [`embed_checked`].
pub async fn embed_query<P: DynEmbeddingProvider + ?Sized>(
    provider: &P,
    schema: &Schema,
    field: usize,
    text: &str,
) -> Result<Option<Vector>> {
    vector_field(schema, field)?;
    if let Some(field) = schema.vectors().get(field) {
        let identity = provider.identity();
        if identity.dimensions != field.dimensions() {
            return Err(Error::new(
                ErrorKind::NoProvider,
                format!(
                    "`{schema}.{}` has {} dimensions and the provider is {identity}: its vectors cannot search the field; give the field a provider of its own, or search by vector",
                    field.name(),
                    field.dimensions()
                ),
            ));
        }
    }
    if text.is_empty() {
        return Ok(None);
    }
    let vectors = embed_checked(provider, &[text], Role::Query).await?;
    Ok(vectors.into_iter().flatten().next())
}

/// A store with a provider: both text-in searches, for stores that only search by vector.
#[derive(Debug, Clone)]
pub struct WithProvider<S, P> {
    /// The store that searches.
    pub store: S,
    /// The provider that embeds the query.
    pub provider: P,
}

impl<S: VectorSearch, P: EmbeddingProvider> VectorizableTextSearch for WithProvider<S, P> {
    async fn vectorizable_text_search(
        &self,
        request: &VectorTextInRequest,
    ) -> Result<VectorAnswer> {
        request.check()?;
        let schema = &request.target.schema;
        match embed_query(&self.provider, schema, request.field, &request.text).await? {
            Some(vector) => self.store.vector_search(&request.with_vector(vector)).await,
            None => Ok(VectorTextInRequest::not_representable()),
        }
    }
}

impl<S: HybridSearch, P: EmbeddingProvider> HybridVectorizableTextSearch for WithProvider<S, P> {
    async fn hybrid_vectorizable_text_search(
        &self,
        request: &HybridTextInRequest,
    ) -> Result<HybridAnswer> {
        request.check()?;
        let schema = &request.request.target.schema;
        let vector = embed_query(&self.provider, schema, request.field, &request.text).await?;
        self.store.hybrid_search(&request.with_vector(vector)).await
    }
}
