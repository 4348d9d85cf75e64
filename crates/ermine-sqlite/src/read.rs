//! Reading: a pool of connections, each call in one snapshot.

mod documents;
mod pool;
mod record;
mod snapshot;

pub(crate) use documents::{answer, state_of};
pub(crate) use pool::{Readers, Watch};
pub(crate) use record::{key_of, record_of, row_set};
pub(crate) use snapshot::Snapshot;
