//! Vector projections: the rows that events write, and their embeddings.

mod aggregate;
mod content;
mod map;
mod needed;
mod plan;
mod row;
mod rows;
mod selector;

pub use content::Content;
pub use map::VectorProjectionMap;
pub use needed::{NeededAggregate, NeededStream, StreamFold};
pub use plan::EmbeddingPlan;
pub use row::{ApplyError, PlannedRow, RowKey, RowWrite};
pub use rows::{EmbeddedRows, PlannedRows};
pub use selector::{SelectedContent, SelectedId, by_stream};
