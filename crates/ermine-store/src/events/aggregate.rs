//! Live aggregation.

use std::fmt;
use std::future::IntoFuture;
use std::marker::PhantomData;

use ermine_core::{Aggregate, BoxFuture, Result, StreamId, StreamRange, Timestamp};

use super::stream::PAGE;
use super::{Pages, fold_pages};
use crate::runtime::Context;

/// What a stream adds up to, folded from its events when it is awaited; `None`
/// where there is no such stream, or nothing any more.
///
/// Long streams are folded a page at a time.
#[must_use = "an aggregation does nothing until it is awaited"]
pub struct AggregateQuery<A> {
    context: Context,
    stream: Result<StreamId>,
    to: Option<u64>,
    until: Option<Timestamp>,
    aggregate: PhantomData<fn() -> A>,
}

impl<A: Aggregate> AggregateQuery<A> {
    pub(crate) fn new(context: Context, stream: Result<StreamId>) -> Self {
        Self {
            context,
            stream,
            to: None,
            until: None,
            aggregate: PhantomData,
        }
    }

    /// What it was after the event of this version; after its last, where it has
    /// not come so far.
    pub fn at_version(mut self, version: u64) -> Self {
        self.to = Some(version);
        self
    }

    /// What it was at this time: after the longest prefix of the stream whose
    /// events all happened at or before it (rule E4).
    pub fn at_time(mut self, time: Timestamp) -> Self {
        self.until = Some(time);
        self
    }

    async fn run(self) -> Result<Option<A>> {
        let types = &self.context.runtime.events.types;
        types.require::<A::Event>()?;
        let range = StreamRange {
            to: self.to,
            until: self.until,
            ..StreamRange::whole(self.context.stream_tenant()?, self.stream?)
        };
        fold_pages(Pages::new(self.context, range, PAGE)).await
    }
}

impl<A: Aggregate> IntoFuture for AggregateQuery<A> {
    type Output = Result<Option<A>>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

impl<A> fmt::Debug for AggregateQuery<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AggregateQuery")
            .field("stream", &self.stream)
            .field("to", &self.to)
            .field("until", &self.until)
            .finish_non_exhaustive()
    }
}
