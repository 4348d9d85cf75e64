//! Reading: snapshots, documents, and reads without a search.

mod documents;
mod record;
mod snapshot;

pub(crate) use documents::answer;
pub(crate) use record::{by_number, key};
pub(crate) use snapshot::{Snapshot, again_if_lost};
