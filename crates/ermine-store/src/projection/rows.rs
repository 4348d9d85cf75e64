//! What a page of events does to documents, before anything is embedded.

use std::sync::Arc;

use ermine_core::{Id, Position, Put, StreamId, TenantId};

use super::keys::RowId;
use crate::collection::Opened;
use crate::unit_of_work::EmbeddedField;

/// What becomes of one document.
pub(crate) struct Row {
    pub(crate) opened: Arc<Opened>,
    pub(crate) key: RowId,
    /// The event that has the last word on it; none where that is a deletion.
    pub(crate) cause: Option<Cause>,
    pub(crate) change: Change,
}

/// The event that a row is made from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cause {
    pub(crate) tenant: Option<TenantId>,
    pub(crate) stream: StreamId,
    pub(crate) position: Position,
}

/// What happens to it.
pub(crate) enum Change {
    /// It is written, but for the fields that are embedded from a text.
    Put {
        put: Box<Put>,
        embedded: Vec<EmbeddedField>,
    },
    /// One vector of it is written, and nothing else.
    Vector(EmbeddedField),
    /// It is removed.
    Delete,
    /// The vector of this field is removed, and nothing else.
    ClearVector(usize),
}

impl Row {
    pub(crate) fn id(&self) -> &Id {
        &self.key.id
    }

    /// The fields that are embedded from a text.
    pub(crate) fn embedded(&self) -> &[EmbeddedField] {
        match &self.change {
            Change::Put { embedded, .. } => embedded,
            Change::Vector(field) => std::slice::from_ref(field),
            Change::Delete | Change::ClearVector(_) => &[],
        }
    }
}
