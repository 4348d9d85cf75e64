//! What selectors may return, and how they are called.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::Content;
use crate::{DocumentId, Envelope, Error, ErrorKind, Result, StoredEvent};

/// What an id selector returns: an id, or a `Result` of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not what selects a row by `{I}`",
    label = "neither an id nor a `Result` of one",
    note = "the ids of a projection are of one type, which the projection names"
)]
pub trait SelectedId<I> {
    /// The id.
    ///
    /// # Errors
    ///
    /// The selector's own.
    fn selected(self) -> Result<I>;
}

impl<I: DocumentId> SelectedId<I> for I {
    fn selected(self) -> Result<I> {
        Ok(self)
    }
}

impl<I: DocumentId> SelectedId<I> for Result<I> {
    fn selected(self) -> Result<I> {
        self
    }
}

/// What a content selector returns: [`Content`], or a `Result` of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not content",
    label = "neither `Content` nor a `Result` of it",
    note = "return `Content::text(…)`, or `Content::none()` for an event that says nothing"
)]
pub trait SelectedContent {
    /// The content.
    ///
    /// # Errors
    ///
    /// The selector's own.
    fn selected(self) -> Result<Content>;
}

impl SelectedContent for Content {
    fn selected(self) -> Result<Content> {
        Ok(self)
    }
}

impl SelectedContent for Result<Content> {
    fn selected(self) -> Result<Content> {
        self
    }
}

/// Selects the row whose id is the stream's: the short id selector.
///
/// # Errors
///
/// `TypeMismatch` where the stream is named by a text and the projection's ids are
/// uuids, or the other way round.
pub fn by_stream<T, I: DocumentId>(event: &Envelope<T>) -> Result<I> {
    event.stream.document_id()
}

/// Calls code of the application's, and makes an error of a panic (rule P3).
pub(super) fn guarded<R>(call: impl FnOnce() -> Result<R>) -> Result<R> {
    // What a panic leaves half done is thrown away: selectors are given references,
    // and the plan is changed after they return.
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| {
        Err(Error::new(
            ErrorKind::Panicked,
            format!("it panicked: {}", message(&*panic)),
        ))
    })
}

/// `what`, and the event it was called for.
pub(super) fn place(what: &str, event: &StoredEvent) -> String {
    let StoredEvent {
        stream,
        version,
        position,
        ..
    } = event;
    format!(
        "{what} of {:?}, event {version} of stream {stream} at position {position}",
        event.event.event_type
    )
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a message")
}
