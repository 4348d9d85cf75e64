//! Events: what happened, in streams, in an order that readers can follow.

mod aggregate;
mod envelope;
mod event_type;
mod position;
mod stream;

pub use aggregate::Aggregate;
pub use envelope::{Envelope, NewEvent, StoredEvent};
pub use event_type::{Event, EventType};
pub use position::Position;
pub use stream::StreamId;
