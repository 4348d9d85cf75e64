//! The one error type of every Ermine crate.

mod kind;

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

pub use kind::ErrorKind;

/// A `Result` whose error is Ermine's.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, where, and what to do about it.
///
/// The message is complete by itself; [`source`](StdError::source) carries the
/// error underneath, where there is one, and the message does not repeat it.
///
/// ```
/// use ermine_core::{Error, ErrorKind};
///
/// let error = Error::new(ErrorKind::UnknownField, "`memories` has no field `titel`; did you mean `title`?");
/// assert_eq!(error.kind(), ErrorKind::UnknownField);
/// assert!(!error.is_retryable());
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    message: String,
    source: Option<Box<dyn StdError + Send + Sync>>,
    retry_after: Option<Duration>,
}

impl Error {
    /// An error of `kind` that says `message`.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            message: message.into(),
            source: None,
            retry_after: None,
        }))
    }

    /// Attaches the error that caused this one.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// Says how long to wait before the same call is made again, as a provider's
    /// `Retry-After` does.
    #[must_use]
    pub fn with_retry_after(mut self, wait: Duration) -> Self {
        self.0.retry_after = Some(wait);
        self
    }

    /// How long to wait before the same call is made again, where whoever failed said so.
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// Puts `context` and a colon before the message: which document, which operation.
    #[must_use]
    pub fn in_context(mut self, context: impl fmt::Display) -> Self {
        self.0.message = format!("{context}: {}", self.0.message);
        self
    }

    /// What kind of thing went wrong.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Whether the same call may succeed later with nothing changed.
    pub fn is_retryable(&self) -> bool {
        matches!(self.kind(), ErrorKind::Busy | ErrorKind::Timeout)
    }

    /// Whether another writer got there first: read again, decide again, write again.
    pub fn is_conflict(&self) -> bool {
        matches!(
            self.kind(),
            ErrorKind::Conflict | ErrorKind::AlreadyExists | ErrorKind::KeptVectorChanged
        )
    }

    /// Whether the call was refused before anything was read or written.
    pub fn is_refusal(&self) -> bool {
        self.kind().is_refusal()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Error");
        debug.field("kind", &self.0.kind);
        debug.field("message", &self.0.message);
        if let Some(source) = &self.0.source {
            debug.field("source", source);
        }
        debug.finish()
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0
            .source
            .as_ref()
            .map(|s| &**s as &(dyn StdError + 'static))
    }
}
