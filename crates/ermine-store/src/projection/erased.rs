//! A projection with its types erased: what the daemon runs.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use ermine_core::{ApplyError, BoxFuture, Error, Result, ShardName, StoredEvent};

use super::keys::{LastWords, RowId};
use super::rows::{Cause, Row};
use crate::collection::Opened;
use crate::events::Projected;
use crate::runtime::Runtime;

/// What follows the events.
pub(crate) trait Projection: Projected {
    /// The name its declaration gives.
    fn name(&self) -> &str;

    /// Its version: another one begins anew.
    fn version(&self) -> u32;

    /// The name and the version together.
    fn shard(&self) -> &ShardName;

    /// The types of the events it follows; `None` for all.
    fn event_types(&self) -> Option<Vec<&'static str>>;

    /// The type of the documents it writes, or writes vectors of.
    fn opened(&self) -> Option<&Arc<Opened>>;

    /// The vector field that it feeds of documents which are not its own.
    fn vector_only(&self) -> Option<usize> {
        None
    }

    /// Whether it writes the documents of this type, and not only a vector of them.
    fn makes(&self, opened: &Arc<Opened>) -> bool {
        self.vector_only().is_none() && self.reaches(opened)
    }

    /// Whether what it writes is in documents of this type.
    fn reaches(&self, opened: &Arc<Opened>) -> bool {
        self.opened().is_some_and(|own| Arc::ptr_eq(own, opened))
    }

    /// How it is made anew.
    fn rebuilt_by(&self) -> RebuiltBy;

    /// The rows about which an event says something.
    fn rows_of(&self, event: &StoredEvent) -> Result<Vec<RowId>>;

    /// What some events do, in their order, each row once (rule P4). Nothing is written.
    fn project<'a>(&'a self, input: Input<'a>) -> BoxFuture<'a, Result<Vec<Row>, ProjectionError>>;

    /// What rows that were folded in memory came to.
    fn folded(&self, _: &Arc<Runtime>, _: Folded) -> Result<Vec<Row>> {
        Ok(Vec::new())
    }
}

/// How a projection is made anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RebuiltBy {
    /// The last event of a row says what it is.
    LastWords,
    /// All events of a row together say what it is.
    Folding,
    /// It makes nothing that could be made anew: its pages are delivered again.
    Delivery,
}

/// What a projection is given.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub(crate) runtime: &'a Arc<Runtime>,
    /// The events it follows, upcast and by position.
    pub(crate) events: &'a [StoredEvent],
    /// Where it is made anew: only rows whose last word is among the events.
    pub(crate) only: Option<&'a LastWords>,
    /// Where rows are folded: whether they begin as nothing, or as they are stored.
    pub(crate) folding: FoldFrom<'a>,
}

/// Where the folding of a row begins, and where it ends.
#[derive(Clone, Copy)]
pub(crate) enum FoldFrom<'a> {
    /// As it is stored; what it comes to is written.
    Stored,
    /// As it is in memory, and there it stays.
    Memory(&'a Mutex<Folded>),
}

/// Rows in memory: an `Option` of the document's type, and the last event.
pub(crate) type Folded = BTreeMap<RowId, (Box<dyn Any + Send + Sync>, Cause)>;

/// Why a page cannot be projected.
#[derive(Debug)]
pub(crate) enum ProjectionError {
    /// One of its events cannot be applied (rule P3).
    Apply(ApplyError),
    /// The store failed, or something else that is no event's fault.
    Failed(Error),
}

impl From<Error> for ProjectionError {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<ApplyError> for ProjectionError {
    fn from(error: ApplyError) -> Self {
        Self::Apply(error)
    }
}
