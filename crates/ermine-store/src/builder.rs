//! Opening a store: what it is told of, and what is refused before it opens.

mod declare;
mod events;
mod projections;

use std::any::TypeId;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use ermine_core::{
    Backend, Document, DynEmbeddingProvider, EmbeddingProvider, Engine, Feature, Result, Schema,
    SchemaMode, Storage,
};

use self::declare::{Declared, declare};
use self::events::EventDeclarations;
use crate::Store;
use crate::collection::Opened;
use crate::daemon::Shards;
use crate::events::Events;
use crate::projection::DeclaredProjection;
use crate::runtime::Runtime;

/// Collects what a store is opened with. Mistakes are reported by
/// [`open`](Self::open), before the database is touched.
#[must_use]
pub struct StoreBuilder<B> {
    backend: B,
    types: Types,
}

/// What was declared, without the backend.
struct Types {
    declared: Vec<Declared>,
    default_provider: Option<Arc<dyn DynEmbeddingProvider>>,
    field_providers: Vec<FieldProvider>,
    mode: SchemaMode,
    events: EventDeclarations,
    projections: Vec<DeclaredProjection>,
    wait_at_most: Option<Duration>,
}

/// A provider for one field.
struct FieldProvider {
    collection: String,
    field: String,
    provider: Arc<dyn DynEmbeddingProvider>,
}

impl<B: Backend> StoreBuilder<B> {
    pub(crate) fn new(backend: B) -> Self {
        Self {
            backend,
            types: Types {
                declared: Vec::new(),
                default_provider: None,
                field_providers: Vec::new(),
                mode: SchemaMode::default(),
                events: EventDeclarations::default(),
                projections: Vec::new(),
                wait_at_most: None,
            },
        }
    }

    /// Declares the document type `D`.
    pub fn document<D: Document>(mut self) -> Self {
        self.types.declared.push(Declared {
            type_id: Some(TypeId::of::<D>()),
            schema: D::schema(),
        });
        self
    }

    /// Declares a type made at run time; [`Store::dynamic`] gives its collection.
    pub fn schema(mut self, schema: Schema) -> Self {
        self.types.declared.push(Declared {
            type_id: None,
            schema: Ok(schema),
        });
        self
    }

    /// Sets the provider of every vector field of its length that has none of
    /// its own. A field embedded from text that it does not fit is refused at
    /// open. The last call counts.
    pub fn embeddings(mut self, provider: impl EmbeddingProvider) -> Self {
        self.types.default_provider = Some(Arc::new(provider));
        self
    }

    /// Sets the provider of one vector field, by the names of type and field.
    pub fn embeddings_for(
        mut self,
        collection: impl Into<String>,
        field: impl Into<String>,
        provider: impl EmbeddingProvider,
    ) -> Self {
        self.types.field_providers.push(FieldProvider {
            collection: collection.into(),
            field: field.into(),
            provider: Arc::new(provider),
        });
        self
    }

    /// Sets what opening may do to the database.
    pub fn schema_mode(mut self, mode: SchemaMode) -> Self {
        self.types.mode = mode;
        self
    }

    /// Opens the store: connects, and makes what is stored fit what is declared
    /// or refuses, naming both (rule D7). Nothing destructive happens.
    ///
    /// # Errors
    ///
    /// `Declaration` for a type that is wrong in itself, for two types of one
    /// name, documents' or events', for upcasts that end in no declared event type,
    /// and for a language without an analyser; `NoProvider` and
    /// `WrongDimensions` for a field embedded from text without a provider of its length;
    /// `Declaration` and `UnknownField` for projections that feed what others feed, or what
    /// is not there; `Unsupported` where events are declared and the store keeps none; `SchemaMismatch`
    /// and `ModelMismatch` where the database holds something else; and the
    /// errors of the connection.
    pub async fn open(mut self) -> Result<Store<B>> {
        let mut events = self.types.events;
        let mut projections = self.types.projections;
        events.also(projections.iter_mut().flat_map(|p| p.events.drain(..)));
        let needs_events = !events.is_empty() || !projections.is_empty();
        let snapshots = events.documents(&self.types.declared);
        self.types.declared.extend(snapshots);
        self::projections::declare_documents(&projections, &mut self.types.declared);
        let (event_types, snapshots) = events.check()?;
        let declared = declare(
            self.types.declared,
            &self.types.default_provider,
            self.types.field_providers,
        )?;
        let provider = self.types.default_provider;
        let places = self::projections::check(
            &projections,
            &event_types,
            &snapshots,
            &declared,
            provider.as_deref(),
        )?;
        let engine = self.backend.connect().await?;
        if needs_events {
            engine.capabilities().require(Feature::Events)?;
        }
        let mut runtime = ensure(engine, declared, self.types.mode).await?;
        runtime.events = self::events::opened(event_types, snapshots, &runtime.types);
        self::projections::bind(projections, places, self.types.wait_at_most, &mut runtime)?;
        Ok(Store::new(runtime))
    }
}

impl<B: fmt::Debug> fmt::Debug for StoreBuilder<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let schemas = self.types.declared.iter().map(|d| d.schema.as_ref());
        let names = schemas.map(|schema| schema.map(Schema::name));
        f.debug_struct("StoreBuilder")
            .field("backend", &self.backend)
            .field("types", &names.collect::<Vec<_>>())
            .field("schema_mode", &self.types.mode)
            .finish_non_exhaustive()
    }
}

async fn ensure(
    engine: Engine,
    declared: declare::Declarations,
    mode: SchemaMode,
) -> Result<Runtime> {
    let mut opened = Vec::new();
    let mut types = HashMap::new();
    for declare::Checked {
        type_id,
        declaration,
        analyzer,
        providers,
    } in declared.checked
    {
        let report = engine.ensure(&declaration, mode).await?;
        let collection = Arc::new(Opened {
            schema: declaration.schema,
            analyzer,
            providers,
            report,
        });
        types.extend(type_id.map(|id| (id, collection.clone())));
        opened.push(collection);
    }
    Ok(Runtime {
        engine,
        opened,
        types,
        providers: declared.providers,
        events: Events::default(),
        shards: Shards::default(),
    })
}
