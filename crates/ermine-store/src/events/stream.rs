//! Reading one stream.

mod pages;
mod row;

use std::fmt;
use std::future::IntoFuture;
use std::marker::PhantomData;

use ermine_core::{
    BoxFuture, Envelope, Error, ErrorKind, Event, MAX_LIMIT, Result, StoredEvent, StreamId,
    StreamRange, Timestamp,
};

pub(crate) use self::pages::{Head, PAGE, Pages, heads};
use self::row::Row;
use crate::runtime::Context;

/// The events of one stream, by version; await it for all of them, or take them
/// a [page](Self::pages) at a time.
///
/// Events of old names come under today's, their data brought up to date (rule E2).
/// A stream that does not exist has none; an archived one is read like others.
#[must_use = "a query does nothing until it is awaited"]
pub struct StreamQuery<T = StoredEvent> {
    context: Context,
    stream: Result<StreamId>,
    from: u64,
    to: Option<u64>,
    until: Option<Timestamp>,
    page_size: usize,
    row: PhantomData<fn() -> T>,
}

impl StreamQuery {
    pub(crate) fn new(context: Context, stream: Result<StreamId>) -> Self {
        Self {
            context,
            stream,
            from: 1,
            to: None,
            until: None,
            page_size: PAGE,
            row: PhantomData,
        }
    }

    /// Only the events of `E`'s types, read.
    pub fn of<E: Event>(self) -> StreamQuery<Envelope<E>> {
        let Self {
            context,
            stream,
            from,
            to,
            until,
            page_size,
            ..
        } = self;
        StreamQuery {
            context,
            stream,
            from,
            to,
            until,
            page_size,
            row: PhantomData,
        }
    }
}

impl<T> StreamQuery<T> {
    /// From this version on. The first is 1.
    pub fn from_version(mut self, version: u64) -> Self {
        self.from = version;
        self
    }

    /// Up to this version, itself included.
    pub fn to_version(mut self, version: u64) -> Self {
        self.to = Some(version);
        self
    }

    /// Only the longest prefix of the stream whose events all happened at or before
    /// this time (rule E4).
    pub fn until(mut self, time: Timestamp) -> Self {
        self.until = Some(time);
        self
    }

    /// How many events are read at once: 500 unless told, 10,000 at most.
    pub fn page_size(mut self, events: usize) -> Self {
        self.page_size = events;
        self
    }

    fn open(self) -> Result<Pages> {
        if !(1..=MAX_LIMIT).contains(&self.page_size) {
            return Err(Error::new(
                ErrorKind::InvalidOption,
                format!(
                    "a page of {} events is asked for, and one holds 1 to {MAX_LIMIT}",
                    self.page_size
                ),
            ));
        }
        let range = StreamRange {
            tenant: self.context.stream_tenant()?,
            stream: self.stream?,
            from: self.from.max(1),
            to: self.to,
            until: self.until,
        };
        Ok(Pages::new(self.context, range, self.page_size))
    }
}

impl<T: Row> StreamQuery<T> {
    /// The events a page at a time, for streams that need not fit into memory.
    pub fn pages(self) -> StreamPages<T> {
        StreamPages {
            pages: Some(T::check(&self.context).and_then(|()| self.open())),
            row: PhantomData,
        }
    }
}

impl<T: Row> IntoFuture for StreamQuery<T> {
    type Output = Result<Vec<T>>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        let mut pages = self.pages();
        Box::pin(async move {
            let mut all = Vec::new();
            while let Some(page) = pages.next().await? {
                all.extend(page);
            }
            Ok(all)
        })
    }
}

impl<T> fmt::Debug for StreamQuery<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamQuery")
            .field("stream", &self.stream)
            .field("from", &self.from)
            .field("to", &self.to)
            .field("until", &self.until)
            .field("page_size", &self.page_size)
            .finish_non_exhaustive()
    }
}

/// The events of one stream, a page at a time.
pub struct StreamPages<T = StoredEvent> {
    /// `None` after the end, and after an error.
    pages: Option<Result<Pages>>,
    row: PhantomData<fn() -> T>,
}

impl<T: Row> StreamPages<T> {
    /// The next page; `None` after the last. A page of the events of some types
    /// may be empty where others lie between them.
    ///
    /// # Errors
    ///
    /// Mistakes of the query, `Body` where an event cannot be read, and `Conflict`
    /// where the stream is tombstoned between two pages.
    pub async fn next(&mut self) -> Result<Option<Vec<T>>> {
        let Some(pages) = self.pages.take() else {
            return Ok(None);
        };
        let mut pages = pages?;
        let Some(page) = pages.next().await? else {
            return match pages.tombstoned() {
                Some(stream) => Err(Error::new(
                    ErrorKind::Conflict,
                    format!("stream {stream} was tombstoned while it was read"),
                )),
                None => Ok(None),
            };
        };
        let page = page
            .into_iter()
            .filter_map(T::read)
            .collect::<Result<_>>()?;
        self.pages = Some(Ok(pages));
        Ok(Some(page))
    }
}

impl<T> fmt::Debug for StreamPages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamPages").finish_non_exhaustive()
    }
}
