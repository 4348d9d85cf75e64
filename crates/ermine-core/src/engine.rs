//! A store with its types erased: what the runtime is compiled against, once.

mod erased;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use erased::{
    DynEventStorage, DynHybridSearch, DynHybridTextIn, DynStorage, DynTextSearch, DynVectorSearch,
    DynVectorTextIn,
};

use crate::{
    Answer, Capabilities, Committed, Declaration, EventFilter, EventPage, EventStorage, Feature,
    HybridAnswer, HybridRequest, HybridSearch, HybridTextInRequest, HybridVectorizableTextSearch,
    LeaseOp, LeaseState, LegAnswer, LegRequest, Op, Position, Read, Result, SchemaMode,
    SchemaReport, Storage, TextAnswer, TextRequest, TextSearch, Ticket, Unit, VectorAnswer,
    VectorRequest, VectorSearch, VectorTextInRequest, VectorizableTextSearch,
};

/// Any store, with the searches it has. What it lacks is refused by name, and
/// every request is checked before the store sees it.
#[derive(Clone)]
pub struct Engine {
    storage: Arc<dyn DynStorage>,
    events: Option<Arc<dyn DynEventStorage>>,
    vector: Option<Arc<dyn DynVectorSearch>>,
    text: Option<Arc<dyn DynTextSearch>>,
    hybrid: Option<Arc<dyn DynHybridSearch>>,
    vector_text_in: Option<Arc<dyn DynVectorTextIn>>,
    hybrid_text_in: Option<Arc<dyn DynHybridTextIn>>,
}

impl Engine {
    /// A store that keeps documents; add the searches it has.
    pub fn new<S: Storage>(storage: Arc<S>) -> Self {
        Self {
            storage,
            events: None,
            vector: None,
            text: None,
            hybrid: None,
            vector_text_in: None,
            hybrid_text_in: None,
        }
    }

    /// A store with every search that takes vectors and analysed text.
    pub fn searching<S: Storage + VectorSearch + TextSearch + HybridSearch>(store: Arc<S>) -> Self {
        Self::new(store.clone())
            .with_vector_search(store.clone())
            .with_text_search(store.clone())
            .with_hybrid_search(store)
    }

    /// Adds events.
    #[must_use]
    pub fn with_events<S: EventStorage>(mut self, storage: Arc<S>) -> Self {
        self.events = Some(storage);
        self
    }

    /// Adds search by vector.
    #[must_use]
    pub fn with_vector_search<S: VectorSearch>(mut self, search: Arc<S>) -> Self {
        self.vector = Some(search);
        self
    }

    /// Adds search by text.
    #[must_use]
    pub fn with_text_search<S: TextSearch>(mut self, search: Arc<S>) -> Self {
        self.text = Some(search);
        self
    }

    /// Adds hybrid search.
    #[must_use]
    pub fn with_hybrid_search<S: HybridSearch>(mut self, search: Arc<S>) -> Self {
        self.hybrid = Some(search);
        self
    }

    /// Adds vector search by text, for a store that embeds in its own service.
    #[must_use]
    pub fn with_vectorizable_text_search<S: VectorizableTextSearch>(
        mut self,
        search: Arc<S>,
    ) -> Self {
        self.vector_text_in = Some(search);
        self
    }

    /// Adds hybrid search by one text, for a store that embeds in its own service.
    #[must_use]
    pub fn with_hybrid_vectorizable_text_search<S: HybridVectorizableTextSearch>(
        mut self,
        search: Arc<S>,
    ) -> Self {
        self.hybrid_text_in = Some(search);
        self
    }

    /// Whether the store embeds query texts itself.
    pub fn embeds_queries(&self) -> bool {
        self.vector_text_in.is_some()
    }

    /// Whether the store embeds the text of a hybrid search itself.
    pub fn embeds_hybrid_queries(&self) -> bool {
        self.hybrid_text_in.is_some()
    }

    fn has<'a, T: ?Sized>(&self, search: &'a Option<Arc<T>>, feature: Feature) -> Result<&'a T> {
        match search {
            Some(search) => Ok(search),
            None => Err(self.capabilities().unsupported(format_args!("{feature}"))),
        }
    }

    fn check_unit(&self, unit: &Unit) -> Result<()> {
        unit.check()?;
        if unit.ops.iter().any(Op::is_of_events) {
            self.has(&self.events, Feature::Events)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Engine({})", self.capabilities().store)
    }
}

impl Storage for Engine {
    fn capabilities(&self) -> &Capabilities {
        self.storage.boxed_capabilities()
    }

    async fn ensure(&self, declaration: &Declaration, mode: SchemaMode) -> Result<SchemaReport> {
        self.capabilities().check(&declaration.schema)?;
        self.storage.boxed_ensure(declaration, mode).await
    }

    async fn declarations(&self) -> Result<Vec<Declaration>> {
        self.storage.boxed_declarations().await
    }

    async fn read(&self, reads: &[Read]) -> Result<Vec<Answer>> {
        reads.iter().try_for_each(Read::check)?;
        if reads.iter().any(Read::is_of_events) {
            self.has(&self.events, Feature::Events)?;
        }
        self.storage.boxed_read(reads).await
    }

    async fn commit(&self, unit: &Unit) -> Result<Committed> {
        self.check_unit(unit)?;
        self.storage.boxed_commit(unit).await
    }

    async fn submit(&self, unit: &Unit, ticket: Ticket) -> Result<()> {
        self.check_unit(unit)?;
        self.storage.boxed_submit(unit, ticket).await
    }
}

impl EventStorage for Engine {
    async fn events(
        &self,
        after: Position,
        filter: &EventFilter,
        limit: usize,
    ) -> Result<EventPage> {
        let events = self.has(&self.events, Feature::Events)?;
        events.boxed_events(after, filter, limit).await
    }

    async fn lease(&self, op: &LeaseOp) -> Result<LeaseState> {
        let events = self.has(&self.events, Feature::Events)?;
        events.boxed_lease(op).await
    }

    async fn wait(&self, after: Position, at_most: Duration) -> Result<()> {
        let events = self.has(&self.events, Feature::Events)?;
        events.boxed_wait(after, at_most).await
    }
}

impl VectorSearch for Engine {
    async fn vector_search(&self, request: &VectorRequest) -> Result<VectorAnswer> {
        let search = self.has(&self.vector, Feature::VectorSearch)?;
        request.check()?;
        search.boxed_vector_search(request).await
    }
}

impl TextSearch for Engine {
    async fn text_search(&self, request: &TextRequest) -> Result<TextAnswer> {
        let search = self.has(&self.text, Feature::TextSearch)?;
        request.check()?;
        search.boxed_text_search(request).await
    }
}

impl HybridSearch for Engine {
    async fn hybrid_search(&self, request: &HybridRequest) -> Result<HybridAnswer> {
        let search = self.has(&self.hybrid, Feature::HybridSearch)?;
        request.check()?;
        search.boxed_hybrid_search(request).await
    }

    async fn search_legs(&self, legs: &[LegRequest]) -> Result<Vec<LegAnswer>> {
        let search = self.has(&self.hybrid, Feature::HybridSearch)?;
        legs.iter().try_for_each(LegRequest::check)?;
        search.boxed_search_legs(legs).await
    }
}

impl VectorizableTextSearch for Engine {
    async fn vectorizable_text_search(
        &self,
        request: &VectorTextInRequest,
    ) -> Result<VectorAnswer> {
        let search = self.has(&self.vector_text_in, Feature::QueryEmbedding)?;
        request.check()?;
        search.boxed_vectorizable(request).await
    }
}

impl HybridVectorizableTextSearch for Engine {
    async fn hybrid_vectorizable_text_search(
        &self,
        request: &HybridTextInRequest,
    ) -> Result<HybridAnswer> {
        let search = self.has(&self.hybrid_text_in, Feature::QueryEmbedding)?;
        request.check()?;
        search.boxed_hybrid_vectorizable(request).await
    }
}
