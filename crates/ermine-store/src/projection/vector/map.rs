//! From events alone.

use std::fmt;

use ermine_core::{
    Document, Envelope, EventType, SelectedContent, SelectedId, VectorProjectionMap,
};

use super::settings::{Settings, common_calls};
use crate::projection::declare::{DeclaredProjection, Projecting, Sealed};

/// A vector projection whose texts are in the events themselves: see
/// [`VectorProjection::map`](crate::VectorProjection::map).
#[must_use = "give it to the store's builder: `.projection(…)`"]
pub struct MapProjection<D: Document> {
    settings: Settings<D>,
    map: VectorProjectionMap<D::Id>,
}

impl<D: Document> MapProjection<D> {
    pub(super) fn new(name: String) -> Self {
        Self {
            settings: Settings::new(name),
            map: VectorProjectionMap::new(),
        }
    }

    /// Each of these events has the text of the row that `id` selects.
    pub fn map<T: 'static, C: SelectedContent, R: SelectedId<D::Id>>(
        mut self,
        event_type: EventType<T>,
        content: impl Fn(&Envelope<T>) -> C + Send + Sync + 'static,
        id: impl Fn(&Envelope<T>) -> R + Send + Sync + 'static,
    ) -> Self {
        self.map = self.map.map(event_type, content, id);
        self
    }

    /// Each of these events removes the row that `id` selects.
    pub fn delete<T: 'static, R: SelectedId<D::Id>>(
        mut self,
        event_type: EventType<T>,
        id: impl Fn(&Envelope<T>) -> R + Send + Sync + 'static,
    ) -> Self {
        self.map = self.map.delete(event_type, id);
        self
    }
}

common_calls!([D: Document] MapProjection<D>);

impl<D: Document> Sealed for MapProjection<D> {
    fn declare(self) -> DeclaredProjection {
        self.settings.declare(self.map, Vec::new())
    }
}

impl<D: Document> Projecting for MapProjection<D> {}

impl<D: Document> fmt::Debug for MapProjection<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MapProjection")
            .field("name", &self.settings.name)
            .field("version", &self.settings.version)
            .field("map", &self.map)
            .finish_non_exhaustive()
    }
}
