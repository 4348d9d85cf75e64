//! Subscriptions: code that is told what happened.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use ermine_core::{ApplyError, BoxFuture, Error, Event, Position, Result, ShardName, StoredEvent};

use super::declare::{Bound, DeclaredProjection, Feeds, Projecting, Sealed};
use super::erased::{Input, Projection, ProjectionError, RebuiltBy};
use super::keys::RowId;
use super::rows::Row;
use crate::collection::Opened;
use crate::events::{DeclaredEvents, Made, Projected};

/// Code that receives the events in pages, in their order.
///
/// The daemon goes on when the page is dealt with, so a page comes at least once: again
/// where the process ended, or the lease was lost, in between. An error stops the shard,
/// or makes it try again; an event is never set aside for it.
///
/// ```
/// use ermine_store::Subscription;
///
/// let mail = Subscription::new("mail", |page| async move {
///     for event in &page.events {
///         println!("{} of {}", event.event.event_type, event.stream);
///     }
///     Ok(())
/// });
/// ```
#[must_use = "give it to the store's builder: `.projection(…)`"]
pub struct Subscription {
    name: String,
    version: u32,
    events: Vec<DeclaredEvents>,
    event_types: Option<Vec<&'static str>>,
    handle: Arc<Handle>,
}

type Handle = dyn Fn(EventsPage) -> BoxFuture<'static, Result<()>> + Send + Sync;

/// What a subscription receives.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct EventsPage {
    /// The events, upcast, by position. Never none.
    pub events: Vec<StoredEvent>,
    /// The position of the last.
    pub last: Position,
}

impl Subscription {
    /// A subscription to all events.
    pub fn new<F>(
        name: impl Into<String>,
        handle: impl Fn(EventsPage) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<()>> + Send + 'static,
    {
        Self {
            name: name.into(),
            version: 1,
            events: Vec::new(),
            event_types: None,
            handle: Arc::new(move |page| Box::pin(handle(page))),
        }
    }

    /// Only events of `E`'s types, beside those of the types given before. It declares them.
    pub fn of<E: Event>(mut self) -> Self {
        self.events.push(DeclaredEvents::of::<E>());
        self.event_types
            .get_or_insert_default()
            .extend(E::event_types());
        self
    }

    /// Another version than the first, 1: one that receives everything from the beginning.
    pub fn version(mut self, version: u32) -> Self {
        self.version = version;
        self
    }
}

impl Sealed for Subscription {
    fn declare(self) -> DeclaredProjection {
        let Self {
            name,
            version,
            events,
            event_types,
            handle,
        } = self;
        DeclaredProjection {
            name,
            version,
            document: None,
            events,
            event_types: event_types.clone(),
            feeds: Feeds::Nothing,
            mistake: None,
            bind: Box::new(move |bound: Bound| {
                Ok(Arc::new(Shard {
                    name: bound.name,
                    version: bound.version,
                    shard: bound.shard,
                    event_types,
                    handle,
                }))
            }),
        }
    }
}

impl Projecting for Subscription {}

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscription")
            .field("name", &self.name)
            .field("version", &self.version)
            .field("event_types", &self.event_types)
            .finish_non_exhaustive()
    }
}

struct Shard {
    name: String,
    version: u32,
    shard: ShardName,
    event_types: Option<Vec<&'static str>>,
    handle: Arc<Handle>,
}

impl Projected for Shard {
    fn feeds(&self, _: &Opened, _: usize) -> bool {
        false
    }

    fn made_of(&self, _: &[StoredEvent]) -> Result<Vec<Made>> {
        Ok(Vec::new())
    }
}

impl Projection for Shard {
    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> u32 {
        self.version
    }

    fn shard(&self) -> &ShardName {
        &self.shard
    }

    fn event_types(&self) -> Option<Vec<&'static str>> {
        self.event_types.clone()
    }

    fn opened(&self) -> Option<&Arc<Opened>> {
        None
    }

    fn rebuilt_by(&self) -> RebuiltBy {
        RebuiltBy::Delivery
    }

    fn rows_of(&self, _: &StoredEvent) -> Result<Vec<RowId>> {
        Ok(Vec::new())
    }

    fn project<'a>(&'a self, input: Input<'a>) -> BoxFuture<'a, Result<Vec<Row>, ProjectionError>> {
        Box::pin(async move {
            let (Some(first), Some(last)) = (input.events.first(), input.events.last()) else {
                return Ok(Vec::new());
            };
            let page = EventsPage {
                events: input.events.to_vec(),
                last: last.position,
            };
            let handled = (self.handle)(page).await;
            handled.map_err(|error: Error| ApplyError::new(first, error))?;
            Ok(Vec::new())
        })
    }
}
