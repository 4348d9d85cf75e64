//! What became of a unit that was not written.

use ermine_core::{Error, ErrorKind};
use tokio_postgres::Error as DriverError;
use tokio_postgres::error::SqlState;

use crate::error::{is_lost, storage};

/// Why an attempt to write a unit ended.
#[derive(Debug)]
pub(super) enum Failure {
    /// For good.
    Final(Error),
    /// Nothing was written, and the same unit may well be written next time.
    Again(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Final(error)
    }
}

/// What had been sent when something failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sent {
    /// No commit: whatever happened, nothing is stored.
    Statements,
    /// The commit too, though it was not what failed.
    Commit,
}

/// A statement failed.
pub(super) fn of_statement(error: DriverError, sent: Sent) -> Failure {
    if let Some(said) = error.as_db_error()
        && said.constraint() == Some("ermine_events_id")
    {
        let which = said.detail().unwrap_or_else(|| said.message());
        let message = format!("an event with the same id exists already: {which}");
        return Failure::Final(Error::new(ErrorKind::AlreadyExists, message).with_source(error));
    }
    let again = match error.code() {
        // The server did not answer. It may have read on to the commit.
        None => sent == Sent::Statements,
        Some(code) => {
            // A statement that failed is never committed. A unique key is violated where
            // another writer created a document that was not there a moment ago.
            *code == SqlState::T_R_SERIALIZATION_FAILURE
                || *code == SqlState::T_R_DEADLOCK_DETECTED
                || *code == SqlState::UNIQUE_VIOLATION
                || is_lost(&error)
        }
    };
    if again {
        Failure::Again(storage("writing")(error))
    } else if error.code().is_none() {
        Failure::Final(unknown(error))
    } else {
        Failure::Final(storage("writing")(error))
    }
}

/// The commit failed.
pub(super) fn of_commit(error: DriverError) -> Failure {
    match error.code() {
        Some(code)
            if *code == SqlState::T_R_SERIALIZATION_FAILURE
                || *code == SqlState::T_R_DEADLOCK_DETECTED =>
        {
            Failure::Again(storage("committing")(error))
        }
        Some(_) if !is_lost(&error) => Failure::Final(storage("committing")(error)),
        _ => Failure::Final(unknown(error)),
    }
}

fn unknown(error: DriverError) -> Error {
    Error::new(
        ErrorKind::OutcomeUnknown,
        "the connection died at the commit: the unit may be stored or not; read before writing it again",
    )
    .with_source(error)
}
