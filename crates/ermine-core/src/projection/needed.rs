//! The aggregates that a plan needs.

use std::collections::VecDeque;
use std::fmt;

use super::aggregate::TextFold;
use super::{ApplyError, RowKey};
use crate::{Error, ErrorKind, Position, StoredEvent, StreamId, StreamRange, TenantId};

/// A row whose text is that of an aggregate, at the last event that triggered it (rule P5).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct NeededAggregate<I> {
    /// The row.
    pub key: RowKey<I>,
    /// The stream that the aggregate is folded from; of the row's tenant.
    pub stream: StreamId,
    /// The version of the last event to be in the aggregate.
    pub version: u64,
    /// That event's position.
    pub position: Position,
}

/// A stream that is folded for the rows of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct NeededStream {
    /// Whose; `None` for the streams of no tenant.
    pub tenant: Option<TenantId>,
    /// The stream.
    pub stream: StreamId,
    /// The last version that a row needs.
    pub version: u64,
}

impl NeededStream {
    /// The part of the stream to be read.
    pub fn range(&self) -> StreamRange {
        StreamRange {
            to: Some(self.version),
            ..StreamRange::whole(self.tenant.clone(), self.stream.clone())
        }
    }
}

impl<I> NeededAggregate<I> {
    pub(super) fn failed(&self, error: Error) -> ApplyError {
        let Self {
            key,
            stream,
            version,
            position,
        } = self;
        ApplyError {
            tenant: key.tenant.clone(),
            position: *position,
            error: error.in_context(format_args!(
                "stream {stream} up to event {version} at position {position}"
            )),
        }
    }
}

/// The live fold of one stream, from its first event, for all rows that need it: see
/// [`EmbeddingPlan::fold`](super::EmbeddingPlan::fold).
pub struct StreamFold<I> {
    /// By version; the first is the next to be reached.
    needed: VecDeque<NeededAggregate<I>>,
    version: u64,
    /// None where nothing is needed of a map without content.
    fold: Option<Box<dyn TextFold>>,
    texts: Texts<I>,
}

/// The text of each row; `None` where there was no aggregate.
type Texts<I> = Vec<(NeededAggregate<I>, Option<String>)>;

impl<I> StreamFold<I> {
    pub(super) fn new(
        mut needed: Vec<NeededAggregate<I>>,
        fold: Option<Box<dyn TextFold>>,
    ) -> Self {
        needed.sort_by_key(|needed| needed.version);
        Self {
            needed: needed.into(),
            version: 0,
            fold,
            texts: Vec::new(),
        }
    }

    /// Folds the stream's next event; those after the last version that is needed are
    /// passed by.
    ///
    /// # Errors
    ///
    /// Where the version is not the next one, the event cannot be read, or the fold or the
    /// content returns an error or panics. The error's position is that of the first
    /// trigger that needs the event.
    pub fn push(&mut self, event: &StoredEvent) -> Result<(), ApplyError> {
        let (Some(next), Some(fold)) = (self.needed.front(), &mut self.fold) else {
            return Ok(());
        };
        fold.push(event).map_err(|error| next.failed(error))?;
        self.version = event.version;
        while let Some(needed) = self.needed.pop_front_if(|n| n.version <= event.version) {
            let text = fold.text().map_err(|error| needed.failed(error))?;
            self.texts.push((needed, text));
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Texts<I>, ApplyError> {
        if let Some(next) = self.needed.front()
            && self.version > 0
        {
            return Err(next.failed(Error::new(
                ErrorKind::InvalidValue,
                format!("only its first {} events were folded", self.version),
            )));
        }
        // A stream without events was removed: there is no aggregate (rule P5).
        let gone = self.needed.into_iter().map(|needed| (needed, None));
        self.texts.extend(gone);
        Ok(self.texts)
    }
}

impl<I> fmt::Debug for StreamFold<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamFold")
            .field("version", &self.version)
            .field("rows_to_reach", &self.needed.len())
            .finish_non_exhaustive()
    }
}
