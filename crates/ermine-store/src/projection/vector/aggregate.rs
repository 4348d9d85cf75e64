//! From an aggregate.

use std::fmt;
use std::marker::PhantomData;

use ermine_core::{
    Aggregate, Document, Envelope, EventType, SelectedContent, SelectedId, VectorProjectionMap,
};

use super::settings::{Settings, common_calls};
use crate::events::DeclaredEvents;
use crate::projection::declare::{DeclaredProjection, Projecting, Sealed};

/// A vector projection whose texts are made of an aggregate: see
/// [`VectorProjection::from_aggregate`](crate::VectorProjection::from_aggregate).
#[must_use = "give it to the store's builder: `.projection(…)`"]
pub struct AggregateProjection<D: Document, A> {
    settings: Settings<D>,
    map: VectorProjectionMap<D::Id>,
    aggregate: PhantomData<fn() -> A>,
}

impl<D: Document, A: Aggregate> AggregateProjection<D, A> {
    pub(super) fn new(name: String) -> Self {
        Self {
            settings: Settings::new(name),
            map: VectorProjectionMap::new(),
            aggregate: PhantomData,
        }
    }

    /// After each of these events the row that `id` selects has the text that
    /// [`content`](Self::content) makes of the aggregate.
    pub fn on<T: 'static, R: SelectedId<D::Id>>(
        mut self,
        event_type: EventType<T>,
        id: impl Fn(&Envelope<T>) -> R + Send + Sync + 'static,
    ) -> Self {
        self.map = self.map.on(event_type, id);
        self
    }

    /// The text of an aggregate. Where the aggregate does not exist, or the text is
    /// empty, the row is removed.
    pub fn content<C: SelectedContent + 'static>(
        mut self,
        content: impl Fn(&A) -> C + Send + Sync + 'static,
    ) -> Self {
        self.map = self.map.content(content);
        self
    }

    /// Each of these events removes the row that `id` selects.
    pub fn delete_on<T: 'static, R: SelectedId<D::Id>>(
        mut self,
        event_type: EventType<T>,
        id: impl Fn(&Envelope<T>) -> R + Send + Sync + 'static,
    ) -> Self {
        self.map = self.map.delete(event_type, id);
        self
    }
}

common_calls!([D: Document, A: Aggregate] AggregateProjection<D, A>);

impl<D: Document, A: Aggregate> Sealed for AggregateProjection<D, A> {
    fn declare(self) -> DeclaredProjection {
        let events = vec![DeclaredEvents::of::<A::Event>()];
        self.settings.declare(self.map, events)
    }
}

impl<D: Document, A: Aggregate> Projecting for AggregateProjection<D, A> {}

impl<D: Document, A> fmt::Debug for AggregateProjection<D, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AggregateProjection")
            .field("name", &self.settings.name)
            .field("version", &self.settings.version)
            .field("map", &self.map)
            .finish_non_exhaustive()
    }
}
