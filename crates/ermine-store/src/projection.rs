//! Projections: what is made of events after they are committed.

mod declare;
mod documents;
mod erased;
mod event;
mod guarded;
mod keys;
mod policy;
mod rows;
mod snapshot;
mod subscription;
mod vector;

pub use declare::Projecting;
pub(crate) use declare::{Bound, DeclaredProjection, Opening, check};
pub(crate) use erased::{FoldFrom, Folded, Input, Projection, ProjectionError, RebuiltBy};
pub use event::{EventProjection, ProjectedDocuments};
pub(crate) use keys::{LastWords, RowId};
pub use policy::ErrorPolicy;
pub(crate) use rows::{Cause, Change, Row};
pub(crate) use snapshot::AsyncSnapshot;
pub use subscription::{EventsPage, Subscription};
pub use vector::{AggregateProjection, MapProjection, ProjectedRow, VectorProjection};
