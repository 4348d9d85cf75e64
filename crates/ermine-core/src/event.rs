//! Events: what happened, in streams, in an order that readers can follow.

mod aggregate;
pub mod data;
mod envelope;
mod event_type;
mod fold;
mod position;
mod stream;

pub use aggregate::Aggregate;
pub use envelope::{Envelope, NewEvent, StoredEvent};
pub use event_type::{Event, EventType};
pub use fold::{Fold, fold_to};
pub use position::Position;
pub use stream::StreamId;
