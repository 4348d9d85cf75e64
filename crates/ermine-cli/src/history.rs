//! Texts that are told as events: what may be told, and the collection it adds up to.

mod appender;
mod change;
mod document;
mod line;
mod opened;

pub(crate) use appender::{Appended, Appender, Told};
use change::member;
pub(crate) use change::{Change, Kind};
pub(crate) use line::{Line, nothing_that_changes, object, text_of};
pub(crate) use opened::{open, open_existing, require_events};

/// The collection of the texts.
pub(crate) const COLLECTION: &str = "history";

/// The projection that keeps their vectors.
const VECTORS: &str = "history-vectors";
