//! Events of all streams, in their order.

use std::fmt;
use std::future::IntoFuture;

use ermine_core::{
    BoxFuture, Error, ErrorKind, Event, EventFilter, EventPage, EventStorage, MAX_LIMIT, Position,
    Result, TenantId,
};

use crate::runtime::{Context, Whose};

/// A page of the events of all streams after a position, in their order, for
/// readers that follow them; await it for the page.
///
/// A reader goes on from the page's `ceiling`, whether the page has events or not:
/// no committed event can appear behind it (rule E5). Archived streams are passed by.
#[must_use = "a query does nothing until it is awaited"]
pub struct EventsQuery {
    context: Context,
    after: Position,
    up_to: Option<Position>,
    types: Option<Vec<&'static str>>,
    limit: usize,
    mistake: Option<Error>,
}

impl EventsQuery {
    pub(crate) fn new(context: Context) -> Self {
        Self {
            context,
            after: Position::START,
            up_to: None,
            types: None,
            limit: super::stream::PAGE,
            mistake: None,
        }
    }

    /// Only events after this position.
    pub fn after(mut self, position: Position) -> Self {
        self.after = position;
        self
    }

    /// Only events up to this position, itself included.
    pub fn up_to(mut self, position: Position) -> Self {
        self.up_to = Some(position);
        self
    }

    /// Only events of `E`'s types, beside those of the types given before. Those
    /// stored under old names are among them.
    pub fn of<E: Event>(mut self) -> Self {
        if let Err(mistake) = self.context.runtime.events.types.require::<E>() {
            self.mistake.get_or_insert(mistake);
        }
        self.types.get_or_insert_default().extend(E::event_types());
        self
    }

    /// At most this many events: 500 unless told, 10,000 at most.
    pub fn limit(mut self, events: usize) -> Self {
        self.limit = events;
        self
    }

    async fn run(self) -> Result<EventPage> {
        if let Some(mistake) = self.mistake {
            return Err(mistake);
        }
        if !(1..=MAX_LIMIT).contains(&self.limit) {
            return Err(Error::new(
                ErrorKind::InvalidOption,
                format!(
                    "a page of {} events is asked for, and one holds 1 to {MAX_LIMIT}",
                    self.limit
                ),
            ));
        }
        let runtime = &self.context.runtime;
        let tenant = match &self.context.whose {
            Whose::Tenant(name) => Some(Some(TenantId::new(name.as_str())?)),
            Whose::NoTenant => Some(None),
            Whose::EveryTenant => None,
        };
        let types = self
            .types
            .map(|types| runtime.events.types.stored_names(types));
        let filter = EventFilter {
            types,
            up_to: self.up_to,
        };
        let mut page = runtime
            .engine
            .events(self.after, &filter, self.limit)
            .await?;
        if let Some(tenant) = tenant {
            page.events.retain(|event| event.tenant == tenant);
        }
        page.events = runtime.events.types.current_all(page.events)?;
        Ok(page)
    }
}

impl IntoFuture for EventsQuery {
    type Output = Result<EventPage>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

impl fmt::Debug for EventsQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventsQuery")
            .field("after", &self.after)
            .field("up_to", &self.up_to)
            .field("types", &self.types)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}
