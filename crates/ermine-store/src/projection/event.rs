//! Event projections: documents that are made of events.

mod shard;

use std::any::TypeId;
use std::fmt;
use std::sync::Arc;

use ermine_core::{
    Document, DocumentId, Envelope, ErrorKind, EventType, Id, Record, Result, SelectedId,
    StoredEvent,
};

use self::shard::EventShard;
use super::declare::{DeclaredProjection, DocumentType, Feeds, Projecting, Sealed};

/// Documents of a projection's own type, made of events: of one stream or of many, one
/// document or several for each event.
///
/// [`on`](Self::on) says what an event does to documents, whatever they were before.
/// [`fold`](Self::fold) makes of a document, as it is, what it is after the event: counters
/// and the like, each event exactly once, since documents and progress are committed
/// together.
///
/// ```
/// # use ermine_macros::{Document, Event};
/// # use serde::{Deserialize, Serialize};
/// use ermine_store::EventProjection;
///
/// #[derive(Event, Serialize, Deserialize)]
/// # #[event(crate = "ermine_core")]
/// struct Sold { shop: String, amount: i64 }
///
/// #[derive(Document, Serialize, Deserialize)]
/// #[document(name = "turnovers")]
/// # #[document(crate = "ermine_core")]
/// struct Turnover {
///     #[document(id)]
///     shop: String,
///     amount: i64,
/// }
///
/// let turnovers = EventProjection::<Turnover>::new("turnovers").fold(
///     Sold::EVENT,
///     |e| e.data.shop.clone(),
///     |before, e| {
///         let amount = before.map_or(0, |t| t.amount) + e.data.amount;
///         Ok(Some(Turnover { shop: e.data.shop.clone(), amount }))
///     },
/// );
/// ```
#[must_use = "give it to the store's builder: `.projection(…)`"]
pub struct EventProjection<D: Document> {
    name: String,
    version: u32,
    entries: Vec<Entry<D>>,
}

struct Entry<D: Document> {
    event_type: &'static str,
    apply: Apply<D>,
}

enum Apply<D: Document> {
    Documents(Box<Make<D>>),
    Fold { id: Box<Select>, fold: Box<Step<D>> },
}

type Make<D> = dyn Fn(&StoredEvent, &mut ProjectedDocuments<D>) -> Result<()> + Send + Sync;
type Select = dyn Fn(&StoredEvent) -> Result<Id> + Send + Sync;
type Step<D> = dyn Fn(Option<D>, &StoredEvent) -> Result<Option<D>> + Send + Sync;

/// What an event does to documents.
pub struct ProjectedDocuments<D: Document> {
    changes: Vec<(Id, Option<D>)>,
}

impl<D: Document> ProjectedDocuments<D> {
    /// Stores a document in the place of the one with its id, if there is any.
    pub fn put(&mut self, document: D) {
        self.changes.push((document.id().to_id(), Some(document)));
    }

    /// Removes the document with this id; of a missing one, nothing happens.
    pub fn delete(&mut self, id: impl Into<<D as Record>::Id>) {
        self.changes.push((id.into().to_id(), None));
    }
}

impl<D: Document> EventProjection<D> {
    /// A projection that follows no events yet.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            version: 1,
            entries: Vec::new(),
        }
    }

    /// What each of these events does to documents, whatever they were before it.
    pub fn on<T: 'static>(
        mut self,
        event_type: EventType<T>,
        apply: impl Fn(&Envelope<T>, &mut ProjectedDocuments<D>) -> Result<()> + Send + Sync + 'static,
    ) -> Self {
        self.entries.push(Entry {
            event_type: event_type.name(),
            apply: Apply::Documents(Box::new(move |event, documents| {
                apply(&event.envelope(event_type.read(event)?), documents)
            })),
        });
        self
    }

    /// What each of these events makes of the document that `id` selects. `None` before
    /// it: there is no such document; `None` after it: there is none any more.
    pub fn fold<T: 'static, R: SelectedId<D::Id>>(
        mut self,
        event_type: EventType<T>,
        id: impl Fn(&Envelope<T>) -> R + Send + Sync + 'static,
        fold: impl Fn(Option<D>, &Envelope<T>) -> Result<Option<D>> + Send + Sync + 'static,
    ) -> Self {
        self.entries.push(Entry {
            event_type: event_type.name(),
            apply: Apply::Fold {
                id: Box::new(move |event| {
                    let id = id(&event.envelope(event_type.read(event)?));
                    Ok(id.selected()?.to_id())
                }),
                fold: Box::new(move |before, event| {
                    fold(before, &event.envelope(event_type.read(event)?))
                }),
            },
        });
        self
    }

    /// Another version of the projection than the first, 1: where its events or its
    /// documents are declared otherwise, so that they are made anew.
    pub fn version(mut self, version: u32) -> Self {
        self.version = version;
        self
    }
}

impl<D: Document> Sealed for EventProjection<D> {
    fn declare(self) -> DeclaredProjection {
        let Self {
            name,
            version,
            entries,
        } = self;
        let mut event_types: Vec<_> = entries.iter().map(|entry| entry.event_type).collect();
        event_types.sort_unstable();
        event_types.dedup();
        let mistake = entries.is_empty().then(|| {
            ermine_core::Error::new(
                ErrorKind::Declaration,
                "it follows no events; give it some by `on` or `fold`",
            )
        });
        DeclaredProjection {
            name,
            version,
            document: Some(DocumentType {
                rust: TypeId::of::<D>(),
                schema: D::schema,
            }),
            events: Vec::new(),
            event_types: Some(event_types.clone()),
            feeds: Feeds::Documents,
            mistake,
            bind: Box::new(move |bound| {
                Ok(Arc::new(EventShard::new(bound, event_types, entries)?))
            }),
        }
    }
}

impl<D: Document> Projecting for EventProjection<D> {}

impl<D: Document> fmt::Debug for EventProjection<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let types = self.entries.iter().map(|entry| entry.event_type);
        f.debug_struct("EventProjection")
            .field("name", &self.name)
            .field("version", &self.version)
            .field("event_types", &types.collect::<Vec<_>>())
            .finish()
    }
}

impl<D: Document> fmt::Debug for ProjectedDocuments<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids = self
            .changes
            .iter()
            .map(|(id, document)| (id, document.is_some()));
        f.debug_map().entries(ids).finish()
    }
}
