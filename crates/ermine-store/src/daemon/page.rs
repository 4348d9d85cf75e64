//! Reading the events that a shard follows.

use std::collections::BTreeMap;

use ermine_core::{
    ApplyError, EventFilter, EventPage, EventStorage, Position, Result, StoredEvent, StreamId,
    StreamRange, TenantId,
};

use super::halt::Halt;
use super::worker::{Decided, Guard, Worker};
use crate::events::{MASKED, PAGE, Pages};
use crate::runtime::{Context, Whose};

/// Events as they are to be projected.
pub(super) struct Followed {
    /// Upcast, by position.
    pub(super) events: Vec<StoredEvent>,
    /// Whether events of a stream were masked.
    pub(super) masked: bool,
}

impl Worker {
    /// The events the shard follows, its own types and the marks of masked ones, in the
    /// query itself (rule P2).
    pub(super) fn filter(&self, up_to: Option<Position>) -> EventFilter {
        let types = self.projection.event_types().map(|types| {
            let known = &self.runtime.events.types;
            let mut names = known.stored_names(types);
            names.push(MASKED.to_owned());
            names
        });
        EventFilter { types, up_to }
    }

    /// The next page after a position.
    pub(super) async fn page(&self, after: Position, up_to: Option<Position>) -> Result<EventPage> {
        let filter = self.filter(up_to);
        let engine = &self.runtime.engine;
        engine.events(after, &filter, self.options.page_size).await
    }

    /// The next page of what was settled when somebody else looked: here it may be held
    /// back for a moment.
    pub(super) async fn page_within(&self, after: Position, up_to: Position) -> Result<EventPage> {
        loop {
            let page = self.page(after, Some(up_to)).await?;
            if page.ceiling > after {
                return Ok(page);
            }
            self.sleep(self.options.poll_least).await;
        }
    }

    /// Brings a page up to date, and puts in the place of a mark that events were masked
    /// all events of that stream before it: they are projected anew (rule P15).
    pub(super) async fn followed(
        &self,
        guard: Guard,
        page: Vec<StoredEvent>,
    ) -> Result<Followed, Halt> {
        let mut events = Vec::new();
        let mut masked: BTreeMap<(Option<TenantId>, StreamId), u64> = BTreeMap::new();
        for event in page {
            if event.event.event_type == MASKED {
                masked.insert((event.tenant, event.stream), event.version);
            } else {
                events.push(event);
            }
        }
        let any = !masked.is_empty();
        for ((tenant, stream), version) in masked {
            let range = StreamRange {
                to: Some(version),
                ..StreamRange::whole(tenant, stream)
            };
            events.extend(self.stored_stream(range).await?);
        }
        events.sort_unstable_by_key(|event| event.position);
        events.dedup_by_key(|event| event.position);
        Ok(Followed {
            events: self.current(guard, events).await?,
            masked: any,
        })
    }

    /// The events of a stream that the shard follows, as they are stored.
    pub(super) async fn stored_stream(&self, range: StreamRange) -> Result<Vec<StoredEvent>> {
        let context = Context {
            runtime: self.runtime.clone(),
            whose: Whose::EveryTenant,
        };
        let types = self.filter(None).types;
        let follows = |event: &StoredEvent| {
            let name = &event.event.event_type;
            name != MASKED && types.as_ref().is_none_or(|types| types.contains(name))
        };
        let mut pages = Pages::new(context, range, PAGE);
        let mut events = Vec::new();
        while let Some(page) = pages.next_stored().await? {
            events.extend(page.into_iter().filter(follows));
        }
        if pages.tombstoned().is_some() {
            events.clear();
        }
        Ok(events)
    }

    /// Events upcast; one that cannot be is one that cannot be applied.
    pub(super) async fn current(
        &self,
        guard: Guard,
        stored: Vec<StoredEvent>,
    ) -> Result<Vec<StoredEvent>, Halt> {
        let mut current = Vec::with_capacity(stored.len());
        for event in stored {
            let mut tries = 0;
            loop {
                match self.runtime.events.types.current(event.clone()) {
                    Ok(event) => current.push(event),
                    Err(error) => {
                        let error = ApplyError::new(&event, error);
                        if self.decide(guard, error, &mut tries).await? == Decided::Again {
                            continue;
                        }
                    }
                }
                break;
            }
        }
        Ok(current)
    }
}
