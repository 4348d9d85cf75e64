//! Texts that are told as events: what may be told, and the collection it adds up to.

mod appender;
mod change;
mod document;
mod opened;

pub(crate) use appender::{Appended, Appender, Told};
pub(crate) use change::Change;
use change::Kind;
use change::member;
pub(crate) use opened::open;

/// The collection of the texts.
pub(crate) const COLLECTION: &str = "history";

/// The projection that keeps their vectors.
const VECTORS: &str = "history-vectors";
