//! Declaring projections.

use std::any::TypeId;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

use ermine_core::{Aggregate, Backend, Document, DynEmbeddingProvider, EventStorage, Result};

use super::StoreBuilder;
use super::declare::{Declarations, Declared};
use crate::daemon::Shards;
use crate::events::{DeclaredEvents, EventTypes, SnapshotType};
use crate::projection::{
    AsyncSnapshot, Bound, DeclaredProjection, Opening, Projecting, check as check_projections,
};
use crate::runtime::Runtime;

impl<B: Backend> StoreBuilder<B>
where
    B::Store: EventStorage,
{
    /// Declares a projection or a subscription: what the store's
    /// [`daemon`](crate::Store::daemon) makes of events after they are committed. It
    /// declares the projection's document type too.
    ///
    /// Open refuses two projections of one name, documents or vector fields that would be
    /// fed twice, a vector of what is no inline snapshot, a field that the type does not
    /// have, and one without a provider of its length.
    pub fn projection(mut self, projection: impl Projecting) -> Self {
        self.types.projections.push(projection.declare());
        self
    }

    /// How long a read that is shown a token waits for the projections that feed what it
    /// reads: 10 s unless told (rule P13).
    pub fn wait_at_most(mut self, time: Duration) -> Self {
        self.types.wait_at_most = Some(time);
        self
    }

    /// Declares an asynchronous snapshot: a document that is what its stream adds up to,
    /// written by the daemon and not by the unit that appends. It declares the document
    /// type and its events too. A stream whose fold comes to nothing has none.
    pub fn snapshot_async<A: Document + Aggregate>(mut self, name: impl Into<String>) -> Self {
        self.types.projections.push(AsyncSnapshot::declare(
            name.into(),
            SnapshotType::of::<A>(),
            DeclaredEvents::of::<A::Event>(),
        ));
        self
    }
}

/// Adds the projections' document types that nobody declared.
pub(super) fn declare_documents(projections: &[DeclaredProjection], declared: &mut Vec<Declared>) {
    let mut known: HashSet<TypeId> = declared.iter().filter_map(|d| d.type_id).collect();
    for projection in projections {
        if let Some(document) = &projection.document
            && known.insert(document.rust)
        {
            declared.push(Declared {
                type_id: Some(document.rust),
                schema: (document.schema)(),
            });
        }
    }
}

/// Refuses projections that cannot be, and returns the places of the fields they feed.
pub(super) fn check(
    projections: &[DeclaredProjection],
    events: &EventTypes,
    snapshots: &[SnapshotType],
    declared: &Declarations,
    provider: Option<&dyn DynEmbeddingProvider>,
) -> Result<Vec<usize>> {
    check_projections(projections, events, |document| {
        let mut checked = declared.checked.iter();
        let checked = checked.find(|checked| checked.type_id == Some(document.rust))?;
        Some(Opening {
            schema: &checked.declaration.schema,
            embedded: checked.providers.iter().map(Option::is_some).collect(),
            provider: provider.map(|provider| provider.identity().to_string()),
            is_snapshot: snapshots.iter().any(|s| s.rust == document.rust),
        })
    })
}

/// Gives the projections their opened types.
pub(super) fn bind(
    projections: Vec<DeclaredProjection>,
    places: Vec<usize>,
    wait_at_most: Option<Duration>,
    runtime: &mut Runtime,
) -> Result<()> {
    let mut bound = Vec::new();
    for (projection, field) in projections.into_iter().zip(places) {
        let types: &HashMap<_, _> = &runtime.types;
        let document = projection.document;
        let bind = Bound {
            shard: projection.shard(),
            name: projection.name,
            version: projection.version,
            opened: document.and_then(|document| types.get(&document.rust).cloned()),
            field,
        };
        bound.push((projection.bind)(bind)?);
    }
    runtime.shards = Shards::of(&bound, wait_at_most);
    runtime.events.projections = bound;
    Ok(())
}
