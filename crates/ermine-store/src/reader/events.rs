//! Reading events.

use ermine_core::{Aggregate, Answer, Backend, EventStorage, Read, Result, StreamState};

use super::{CrossTenantReader, Reader, broken_answer};
use crate::events::{AggregateQuery, EventsQuery, StreamQuery, ToStreamId};

/// Events.
impl<B: Backend> Reader<B>
where
    B::Store: EventStorage,
{
    /// The events of a stream, by version: all, a part, or a page at a time.
    pub fn stream(&self, stream: impl ToStreamId) -> StreamQuery {
        StreamQuery::new(self.context().clone(), stream.to_stream_id())
    }

    /// What is known about a stream; `None` where there is none.
    ///
    /// # Errors
    ///
    /// `InvalidValue` for a text that names no stream.
    pub async fn stream_state(&self, stream: impl ToStreamId) -> Result<Option<StreamState>> {
        let stream = stream.to_stream_id()?;
        let read = Read::StreamState {
            tenant: self.context().stream_tenant()?,
            stream,
        };
        match self.context().answers([read]).await? {
            [Answer::Stream(state)] => Ok(state),
            _ => Err(broken_answer()),
        }
    }

    /// What a stream adds up to, folded from its events: now, at a version, or at a time.
    pub fn aggregate<A: Aggregate>(&self, stream: impl ToStreamId) -> AggregateQuery<A> {
        AggregateQuery::new(self.context().clone(), stream.to_stream_id())
    }

    /// A page of the events of all streams of this tenant (of those of no tenant,
    /// for a reader without one), in their order. The limit counts those of others
    /// too, which are left out of the page.
    pub fn events(&self) -> EventsQuery {
        EventsQuery::new(self.context().clone())
    }
}

/// Events.
impl<B: Backend> CrossTenantReader<B>
where
    B::Store: EventStorage,
{
    /// A page of the events of all streams, of every tenant and of none, in their order.
    pub fn events(&self) -> EventsQuery {
        EventsQuery::new(self.context.clone())
    }
}
