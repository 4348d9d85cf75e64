//! The driver's errors as Ermine's, and errors shared by reads and writes.

use std::any::Any;
use std::error::Error as _;
use std::fmt;

use ermine_core::{Error, ErrorKind, Id, Schema, TenantId};
use rusqlite::ErrorCode;

/// What a database call failed with, in Ermine's terms.
///
/// Codes are compared by their primary part, which is what `ErrorCode` is: the
/// extended ones only say more about the same failure.
pub(crate) fn storage(doing: impl fmt::Display) -> impl Fn(rusqlite::Error) -> Error {
    move |error| {
        let (kind, hint) = match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => (
                ErrorKind::Busy,
                "the database is locked by another connection; try again",
            ),
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => (
                ErrorKind::Corrupt,
                "the file is damaged or no SQLite database; check the path, or restore a backup",
            ),
            Some(ErrorCode::DiskFull) => (
                ErrorKind::Storage,
                "the disk, or the size the database is allowed, is full; make room and write again",
            ),
            Some(ErrorCode::OperationInterrupted) => {
                (ErrorKind::Timeout, "the call was interrupted")
            }
            Some(ErrorCode::CannotOpen) => (
                ErrorKind::Storage,
                "the file cannot be opened; check that its folder exists and can be written",
            ),
            Some(ErrorCode::ReadOnly) => (
                ErrorKind::Storage,
                "the file cannot be written; check its permissions",
            ),
            _ => (ErrorKind::Storage, "the database reported an error"),
        };
        Error::new(kind, format!("{doing}: {hint}")).with_source(error)
    }
}

/// What was being done to a document type, for messages: put into words only where
/// something failed.
#[derive(Clone, Copy)]
pub(crate) struct Doing<'a>(pub(crate) &'static str, pub(crate) &'a str);

impl fmt::Display for Doing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(verb, name) = self;
        write!(f, "{verb} `{name}`")
    }
}

/// The same failure, for another caller of the same group; its causes as words.
pub(crate) fn copy(error: &Error) -> Error {
    let copy = Error::new(error.kind(), error.to_string());
    let mut causes = Vec::new();
    let mut next = error.source();
    while let Some(cause) = next {
        causes.push(cause.to_string());
        next = cause.source();
    }
    if causes.is_empty() {
        copy
    } else {
        copy.with_source(causes.join(": "))
    }
}

/// What is left of a panic.
pub(crate) fn panicked(doing: &str, panic: &(dyn Any + Send)) -> Error {
    let said = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    Error::new(
        ErrorKind::Storage,
        format!("{doing}: the store panicked ({said}); nothing of it was kept, please report this"),
    )
}

/// The store was closed, or its threads are gone.
pub(crate) fn closed() -> Error {
    Error::new(
        ErrorKind::Closed,
        "the store has been closed; open it again",
    )
}

/// A document, for messages.
pub(crate) fn document(schema: &Schema, tenant: Option<&TenantId>, id: &Id) -> String {
    match tenant {
        None => format!("document {id} of `{schema}`"),
        Some(tenant) => format!("document {id} of `{schema}`, tenant `{tenant}`"),
    }
}

/// Stored bytes that Ermine did not write.
pub(crate) fn corrupt(what: String) -> Error {
    Error::new(ErrorKind::Corrupt, what)
}
