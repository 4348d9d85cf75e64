//! Vector projections: embeddings that follow events.

mod aggregate;
mod map;
mod settings;
mod shard;

use std::fmt;
use std::marker::PhantomData;

use ermine_core::{Aggregate, Document, Envelope};

pub use self::aggregate::AggregateProjection;
pub use self::map::MapProjection;

/// Where a vector projection begins: what its text comes from.
///
/// The text of a row is embedded by the provider of the projected vector field, and
/// embedded again only where it changed. A projection whose type `D` is an inline
/// snapshot of the store writes the snapshot's vector and nothing else of it. Any other
/// makes documents of its own type, by a `document` closure, and is then the only one to
/// write them: so they are searched, filtered and kept apart by tenant as all are.
///
/// ```
/// use ermine_core::{Content, Embedding};
/// use ermine_macros::{Document, Event};
/// use ermine_store::VectorProjection;
/// use serde::{Deserialize, Serialize};
/// use uuid::Uuid;
///
/// #[derive(Event, Serialize, Deserialize)]
/// # #[event(crate = "ermine_core")]
/// enum NoteEvent {
///     Written { id: Uuid, text: String },
///     Erased { id: Uuid },
/// }
///
/// #[derive(Document, Serialize, Deserialize)]
/// #[document(name = "note_vectors")]
/// # #[document(crate = "ermine_core")]
/// struct NoteVector {
///     #[document(id)]
///     id: Uuid,
///     #[document(text)]
///     text: String,
///     #[document(vector(dimensions = 2, metric = "l2"))]
///     embedding: Embedding,
/// }
///
/// # fn id_of(event: &NoteEvent) -> Uuid {
/// #     match event { NoteEvent::Written { id, .. } | NoteEvent::Erased { id } => *id }
/// # }
/// # fn text_of(event: &NoteEvent) -> &str {
/// #     match event { NoteEvent::Written { text, .. } => text, NoteEvent::Erased { .. } => "" }
/// # }
/// let notes = VectorProjection::<NoteVector>::map("note-vectors")
///     .map(NoteEvent::WRITTEN, |e| Content::text(text_of(&e.data)), |e| id_of(&e.data))
///     .delete(NoteEvent::ERASED, |e| id_of(&e.data))
///     .document(|row| NoteVector {
///         id: row.id,
///         text: row.text.to_owned(),
///         embedding: Embedding::NotLoaded,
///     });
/// ```
pub struct VectorProjection<D>(PhantomData<fn() -> D>);

impl<D: Document> VectorProjection<D> {
    /// A projection whose texts are in the events themselves.
    pub fn map(name: impl Into<String>) -> MapProjection<D> {
        MapProjection::new(name.into())
    }

    /// A projection whose texts are made of an aggregate, as it was after the event that
    /// triggers it (rule P5): where an event says what changed, and not all that the text
    /// needs. The events that `A` folds are declared by this.
    pub fn from_aggregate<A: Aggregate>(name: impl Into<String>) -> AggregateProjection<D, A> {
        AggregateProjection::new(name.into())
    }
}

impl<D> fmt::Debug for VectorProjection<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("VectorProjection")
    }
}

/// What a document of a projection's own type is made of.
#[derive(Debug)]
#[non_exhaustive]
pub struct ProjectedRow<'a, I> {
    /// The id that the document must have.
    pub id: I,
    /// The text that is embedded; never empty.
    pub text: &'a str,
    /// The last event that says something about the row, its data aside: whose it is,
    /// when it happened, its headers.
    pub event: Envelope<()>,
}
