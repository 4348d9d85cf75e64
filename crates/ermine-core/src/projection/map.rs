//! Which events write which rows.

use std::any::TypeId;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use super::aggregate::{AggregateContent, Typed};
use super::selector::{SelectedContent, SelectedId, guarded, place};
use crate::{
    Aggregate, DocumentId, Envelope, Error, ErrorKind, EventFilter, EventType, Result, StoredEvent,
};

/// Which events write, and which delete, the rows of a vector projection, and where
/// the text of a row comes from.
///
/// From events alone:
///
/// ```
/// use ermine_core::{Content, VectorProjectionMap};
/// # use ermine_macros::Event;
/// # use serde::{Deserialize, Serialize};
/// # use uuid::Uuid;
/// # #[derive(Event, Serialize, Deserialize)]
/// # #[event(crate = "ermine_core")]
/// # struct NoteWritten { id: Uuid, text: String }
/// # #[derive(Event, Serialize, Deserialize)]
/// # #[event(crate = "ermine_core")]
/// # struct NoteErased { id: Uuid }
///
/// let map = VectorProjectionMap::<Uuid>::new()
///     .map(NoteWritten::EVENT, |e| Ok(Content::text(&e.data.text)), |e| e.data.id)
///     .delete(NoteErased::EVENT, |e| e.data.id);
/// assert_eq!(map.event_types(), ["note_erased", "note_written"]);
/// ```
///
/// From an aggregate, where an event does not say all that the text needs:
///
/// ```
/// use ermine_core::{Aggregate, Content, Envelope, Result, VectorProjectionMap, by_stream};
/// # use ermine_macros::Event;
/// # use serde::{Deserialize, Serialize};
/// # use uuid::Uuid;
/// # #[derive(Event, Serialize, Deserialize)]
/// # #[event(crate = "ermine_core")]
/// # enum MemoryEvent { Recorded { title: String, body: String }, Revised { body: Option<String> }, Forgotten }
/// # struct Memory { title: String, body: String }
/// # impl Aggregate for Memory {
/// #     type Event = MemoryEvent;
/// #     fn fold(state: Option<Self>, _: &Envelope<MemoryEvent>) -> Result<Option<Self>> { Ok(state) }
/// # }
///
/// let map = VectorProjectionMap::<Uuid>::new()
///     .on(MemoryEvent::RECORDED, by_stream)
///     .on(MemoryEvent::REVISED, by_stream)
///     .content(|m: &Memory| Content::text(format!("{}\n{}", m.title, m.body)))
///     .delete(MemoryEvent::FORGOTTEN, by_stream);
/// # map.check()?;
/// # Ok::<(), ermine_core::Error>(())
/// ```
///
/// Every selector is given the whole envelope. One event may have several entries, for
/// several rows; they are followed in the order in which they stand. A selector that
/// returns an error, or panics, is an error of the event: it never counts as an event
/// that says nothing (rule P3).
pub struct VectorProjectionMap<I> {
    entries: Vec<Entry<I>>,
    pub(super) content: Option<Arc<dyn AggregateContent>>,
    says_content_twice: bool,
}

struct Entry<I> {
    event_type: &'static str,
    is_trigger: bool,
    select: Box<Select<I>>,
}

type Select<I> = dyn Fn(&StoredEvent) -> Result<Option<Effect<I>>> + Send + Sync;

/// What an event does to a row.
pub(super) enum Effect<I> {
    /// It has this text.
    Write(I, String),
    /// It has the text of the aggregate as it is after the event.
    Aggregate(I),
    /// It is no more.
    Delete(I),
}

impl<I: DocumentId> VectorProjectionMap<I> {
    /// Of no event.
    pub fn new() -> Self {
        Self {
            entries: Vec::new(),
            content: None,
            says_content_twice: false,
        }
    }

    /// Each of these events has the text of the row that `id` selects.
    #[must_use]
    pub fn map<T: 'static, C: SelectedContent, R: SelectedId<I>>(
        self,
        event_type: EventType<T>,
        content: impl Fn(&Envelope<T>) -> C + Send + Sync + 'static,
        id: impl Fn(&Envelope<T>) -> R + Send + Sync + 'static,
    ) -> Self {
        self.entry(event_type, false, move |event, envelope| {
            let selected = guarded(|| content(envelope).selected())
                .map_err(|e| e.in_context(place("the content selector", event)))?;
            match selected.into_text() {
                Some(text) => Ok(Some(Effect::Write(select(&id, event, envelope)?, text))),
                None => Ok(None),
            }
        })
    }

    /// Each of these events removes the row that `id` selects.
    #[must_use]
    pub fn delete<T: 'static, R: SelectedId<I>>(
        self,
        event_type: EventType<T>,
        id: impl Fn(&Envelope<T>) -> R + Send + Sync + 'static,
    ) -> Self {
        self.entry(event_type, false, move |event, envelope| {
            Ok(Some(Effect::Delete(select(&id, event, envelope)?)))
        })
    }

    /// After each of these events the row that `id` selects has the text that
    /// [`content`](Self::content) makes of the aggregate, which is what the event's
    /// stream was up to it.
    #[must_use]
    pub fn on<T: 'static, R: SelectedId<I>>(
        self,
        event_type: EventType<T>,
        id: impl Fn(&Envelope<T>) -> R + Send + Sync + 'static,
    ) -> Self {
        self.entry(event_type, true, move |event, envelope| {
            Ok(Some(Effect::Aggregate(select(&id, event, envelope)?)))
        })
    }

    /// The text of an aggregate. Where the aggregate does not exist the row is removed,
    /// and so it is where the text is empty. The content of a state is always a text:
    /// [`Content::none`](super::Content::none) is an error.
    ///
    /// A map has one; [`check`](Self::check) refuses a second.
    #[must_use]
    pub fn content<A: Aggregate, C: SelectedContent + 'static>(
        mut self,
        content: impl Fn(&A) -> C + Send + Sync + 'static,
    ) -> Self {
        let before = self.content.replace(Arc::new(Typed::<A, _>::new(content)));
        self.says_content_twice |= before.is_some();
        self
    }

    fn entry<T: 'static>(
        mut self,
        event_type: EventType<T>,
        is_trigger: bool,
        select: impl Fn(&StoredEvent, &Envelope<T>) -> Result<Option<Effect<I>>> + Send + Sync + 'static,
    ) -> Self {
        self.entries.push(Entry {
            event_type: event_type.name(),
            is_trigger,
            select: Box::new(move |event| {
                let data = guarded(|| event_type.read(event))?;
                select(event, &event.envelope(data))
            }),
        });
        self
    }

    /// Refuses a map without events, triggers without content, content without triggers,
    /// and content twice. For those who register the map.
    ///
    /// # Errors
    ///
    /// `Declaration`, which says what is wrong.
    pub fn check(&self) -> Result<()> {
        let triggered = self.entries.iter().any(|entry| entry.is_trigger);
        let wrong = match (&self.content, triggered) {
            _ if self.entries.is_empty() => "it names no events; give it some by `map` or `on`",
            (None, true) => {
                "it says by `on` when an aggregate's text changes, and by no `content` what it is"
            }
            (Some(_), false) => {
                "it says by `content` what an aggregate's text is, and by no `on` when it changes"
            }
            _ if self.says_content_twice => {
                "it says by `content` twice what an aggregate's text is; remove one"
            }
            _ => return Ok(()),
        };
        Err(Error::new(
            ErrorKind::Declaration,
            format!("the map of a vector projection is refused: {wrong}"),
        ))
    }

    /// The names of the event types it follows, in their order, each once.
    pub fn event_types(&self) -> Vec<&'static str> {
        let names: BTreeSet<_> = self.entries.iter().map(|entry| entry.event_type).collect();
        names.into_iter().collect()
    }

    /// The events it follows, up to any position.
    pub fn event_filter(&self) -> EventFilter {
        let types = self.event_types().into_iter().map(str::to_owned);
        EventFilter {
            types: Some(types.collect()),
            up_to: None,
        }
    }

    /// The aggregate that its content comes from, if it comes from one.
    pub fn aggregate(&self) -> Option<TypeId> {
        self.content.as_ref().map(|content| content.aggregate())
    }

    /// The ids of the rows that an event writes or deletes, each once, in the order in
    /// which they appear: what is to be removed with the event's data (rule P15).
    ///
    /// # Errors
    ///
    /// Where the event cannot be read, and what a selector returns.
    pub fn ids_of(&self, event: &StoredEvent) -> Result<Vec<I>> {
        let mut seen = BTreeSet::new();
        let effects = self.effects(event)?.into_iter();
        let ids = effects.map(|effect| match effect {
            Effect::Write(id, _) | Effect::Aggregate(id) | Effect::Delete(id) => id,
        });
        Ok(ids.filter(|id| seen.insert(id.to_id())).collect())
    }

    /// What an event does, in the order of the entries.
    pub(super) fn effects(&self, event: &StoredEvent) -> Result<Vec<Effect<I>>> {
        self.entries
            .iter()
            .filter(|entry| entry.event_type == event.event.event_type)
            .filter_map(|entry| (entry.select)(event).transpose())
            .collect()
    }
}

fn select<T, I, R: SelectedId<I>>(
    id: &impl Fn(&Envelope<T>) -> R,
    event: &StoredEvent,
    envelope: &Envelope<T>,
) -> Result<I> {
    guarded(|| id(envelope).selected()).map_err(|e| e.in_context(place("the id selector", event)))
}

impl<I: DocumentId> Default for VectorProjectionMap<I> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I> fmt::Debug for VectorProjectionMap<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let types = self.entries.iter().map(|entry| entry.event_type);
        f.debug_list().entries(types).finish()
    }
}
