//! What is made of events, so that it can be taken away with them (rule P15).

#![allow(
    dead_code,
    reason = "what runs projections registers them; snapshots need none"
)]

use std::sync::Arc;

use ermine_core::{Id, Result, StoredEvent, TenantId};

use crate::collection::Opened;

/// A projection, as a unit that removes events sees it.
pub(crate) trait Projected: Send + Sync {
    /// Whether it feeds this vector field, by the field's place in the schema:
    /// a snapshot's fold then leaves the field alone.
    fn feeds(&self, opened: &Opened, field: usize) -> bool;

    /// What it made, or may have made, of some events of one stream. They come as
    /// they were before they are removed, upcast, by version, and in pages.
    fn made_of(&self, events: &[StoredEvent]) -> Result<Vec<Made>>;
}

/// Something a projection made.
#[derive(Clone)]
pub(crate) struct Made {
    pub(crate) opened: Arc<Opened>,
    pub(crate) tenant: Option<TenantId>,
    pub(crate) id: Id,
    pub(crate) part: Part,
}

/// How much of a document a projection made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// All of it.
    Document,
    /// The vector fields at these places; the rest is somebody else's.
    Vectors(Vec<usize>),
}
