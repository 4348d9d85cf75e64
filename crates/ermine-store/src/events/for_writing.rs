//! Read, decide, append: with nobody in between.

use std::fmt;

use ermine_core::{
    Aggregate, Backend, Error, ErrorKind, EventStorage, Expected, Result, StreamId, StreamRange,
    TenantId,
};

use super::{ToEvent, fold_pages, heads};
use crate::Session;
use crate::runtime::Context;

/// What a stream added up to when it was read, and the right to append to it as
/// long as that is so: see [`Session::fetch_for_writing`].
pub struct AggregateStream<A> {
    tenant: Option<TenantId>,
    stream: StreamId,
    version: u64,
    state: Option<A>,
}

impl<A: Aggregate> AggregateStream<A> {
    pub(crate) async fn fetch(context: &Context, stream: Result<StreamId>) -> Result<Self> {
        context.runtime.events.types.require::<A::Event>()?;
        let tenant = context.stream_tenant()?;
        let stream = stream?;
        let range = StreamRange::whole(tenant.clone(), stream.clone());
        let head = heads(context, [range]).await?.pop();
        let (version, state) = match head {
            Some(head) => (head.version(), fold_pages(head.pages).await?),
            None => (0, None),
        };
        Ok(Self {
            tenant,
            stream,
            version,
            state,
        })
    }

    /// The stream.
    pub fn stream(&self) -> &StreamId {
        &self.stream
    }

    /// What the stream added up to when it was read; `None` where that was nothing.
    /// Appending does not change it.
    pub fn state(&self) -> Option<&A> {
        self.state.as_ref()
    }

    /// [`state`](Self::state), to keep.
    pub fn into_state(self) -> Option<A> {
        self.state
    }

    /// The version that the next append expects: the one read, 0 for a stream that
    /// does not exist, and what was appended since.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Appends events in the session's unit: its commit fails with `Conflict`, which
    /// tells the version expected and the one found, where anything else was
    /// appended to the stream since it was read.
    ///
    /// Without events that is judged all the same: what was decided from this
    /// stream is then written elsewhere only while it holds.
    pub fn append<B: Backend, T: ToEvent>(
        &mut self,
        session: &mut Session<B>,
        events: impl IntoIterator<Item = T>,
    ) where
        B::Store: EventStorage,
    {
        let of_session = session.context().stream_tenant();
        let stream = of_session.and_then(|tenant| {
            if tenant == self.tenant {
                return Ok(self.stream.clone());
            }
            Err(Error::new(
                ErrorKind::Tenancy,
                format!(
                    "stream {} was read for one tenant and is appended to in another's session",
                    self.stream
                ),
            ))
        });
        let expected = Expected::Version(self.version);
        self.version += session.record_append(stream, expected, events);
    }
}

impl<A> fmt::Debug for AggregateStream<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AggregateStream")
            .field("tenant", &self.tenant)
            .field("stream", &self.stream)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}
