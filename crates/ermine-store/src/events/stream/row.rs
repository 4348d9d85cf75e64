//! What the events of a stream are read as.

use ermine_core::{Envelope, Event, Result, StoredEvent};

use crate::runtime::Context;

/// What a stream's events come as: as they are stored, or read.
pub trait Row: Sized + Send + 'static {
    /// Refuses types that the store was not told of.
    fn check(context: &Context) -> Result<()>;

    /// The event; `None` where it is of another type.
    fn read(event: StoredEvent) -> Option<Result<Self>>;
}

impl Row for StoredEvent {
    fn check(_: &Context) -> Result<()> {
        Ok(())
    }

    fn read(event: StoredEvent) -> Option<Result<Self>> {
        Some(Ok(event))
    }
}

impl<E: Event> Row for Envelope<E> {
    fn check(context: &Context) -> Result<()> {
        context.runtime.events.types.require::<E>()
    }

    fn read(event: StoredEvent) -> Option<Result<Self>> {
        E::event_types()
            .contains(&event.event.event_type.as_str())
            .then(|| Ok(event.envelope(event.read()?)))
    }
}
