//! A stream, page by page.

use ermine_core::{Answer, Read, Result, Storage, StoredEvent, StreamId, StreamRange, StreamState};

use crate::reader::broken_answer;
use crate::runtime::Context;

/// How many events are read at once unless a caller says otherwise.
pub(crate) const PAGE: usize = 500;

/// The pages of a part of one stream.
pub(crate) struct Pages {
    context: Context,
    range: StreamRange,
    size: usize,
    /// A page that is already read.
    ready: Option<Vec<StoredEvent>>,
    begun: bool,
    over: bool,
    tombstoned: bool,
}

impl Pages {
    pub(crate) fn new(context: Context, range: StreamRange, size: usize) -> Self {
        Self {
            context,
            range,
            size,
            ready: None,
            begun: false,
            over: false,
            tombstoned: false,
        }
    }

    /// The next page, its events brought up to date; `None` after the last.
    pub(crate) async fn next(&mut self) -> Result<Option<Vec<StoredEvent>>> {
        let page = self.next_stored().await?;
        let types = &self.context.runtime.events.types;
        page.map(|page| types.current_all(page)).transpose()
    }

    /// The next page as it is stored.
    pub(crate) async fn next_stored(&mut self) -> Result<Option<Vec<StoredEvent>>> {
        if self.over && self.ready.is_none() {
            return Ok(None);
        }
        let page = match self.ready.take() {
            Some(page) => page,
            None => self.read().await?,
        };
        self.begun = true;
        match page.last() {
            Some(last) if page.len() >= self.size => self.range.from = last.version + 1,
            _ => self.over = true,
        }
        self.over |= self.range.to.is_some_and(|to| to < self.range.from);
        Ok((!page.is_empty()).then_some(page))
    }

    async fn read(&mut self) -> Result<Vec<StoredEvent>> {
        let page = read_stream(&self.range, self.size);
        if !self.begun {
            let [page] = self.context.answers([page]).await?;
            return answer_events(page);
        }
        // Pages are of several snapshots, between which events are added or
        // removed altogether: the first one is there, or none is.
        let mut first = StreamRange::whole(self.range.tenant.clone(), self.range.stream.clone());
        first.to = Some(1);
        let [page, first] = self.context.answers([page, read_stream(&first, 1)]).await?;
        if answer_events(first)?.is_empty() {
            self.tombstoned = true;
            return Ok(Vec::new());
        }
        answer_events(page)
    }

    /// The stream, where it was tombstoned after some pages had been read, of
    /// which then none counts.
    pub(crate) fn tombstoned(&self) -> Option<&StreamId> {
        self.tombstoned.then_some(&self.range.stream)
    }
}

/// What a stream is like, and its pages up to that.
pub(crate) struct Head {
    pub(crate) state: Option<StreamState>,
    pub(crate) pages: Pages,
}

impl Head {
    /// The version of the last event; 0 where there is none.
    pub(crate) fn version(&self) -> u64 {
        self.state.as_ref().map_or(0, |state| state.version)
    }

    pub(crate) fn archived(&self) -> bool {
        self.state.as_ref().is_some_and(|state| state.archived)
    }
}

/// Reads what some streams are like, and the first page of each, in one call.
pub(crate) async fn heads(
    context: &Context,
    streams: impl IntoIterator<Item = StreamRange>,
) -> Result<Vec<Head>> {
    let mut ranges = Vec::new();
    let mut reads = Vec::new();
    for range in streams {
        reads.push(Read::StreamState {
            tenant: range.tenant.clone(),
            stream: range.stream.clone(),
        });
        reads.push(read_stream(&range, PAGE));
        ranges.push(range);
    }
    if reads.is_empty() {
        return Ok(Vec::new());
    }
    let mut answers = context.runtime.engine.read(&reads).await?.into_iter();
    let mut heads = Vec::with_capacity(ranges.len());
    for mut range in ranges {
        let (Some(Answer::Stream(state)), Some(page)) = (answers.next(), answers.next()) else {
            return Err(broken_answer());
        };
        let version = state.as_ref().map_or(0, |state| state.version);
        range.to = Some(range.to.map_or(version, |to| to.min(version)));
        let mut pages = Pages::new(context.clone(), range, PAGE);
        pages.ready = Some(answer_events(page)?);
        heads.push(Head { state, pages });
    }
    Ok(heads)
}

fn read_stream(range: &StreamRange, limit: usize) -> Read {
    Read::Stream {
        range: range.clone(),
        limit,
    }
}

fn answer_events(answer: Answer) -> Result<Vec<StoredEvent>> {
    match answer {
        Answer::Events(events) => Ok(events),
        _ => Err(broken_answer()),
    }
}
