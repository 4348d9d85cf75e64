//! The driver's errors as Ermine's, and errors shared by reads and writes.

use std::error::Error as _;
use std::fmt;

use deadpool_postgres::PoolError;
use ermine_core::{Error, ErrorKind, Id, Schema, TenantId};
use tokio_postgres::Error as DriverError;
use tokio_postgres::error::SqlState;

/// What a database call failed with, in Ermine's terms.
pub(crate) fn storage(doing: impl fmt::Display) -> impl Fn(DriverError) -> Error {
    move |error| {
        let (kind, hint) = meaning(&error);
        let said = match error.as_db_error() {
            Some(said) => format!(" ({})", said.message()),
            // Such as why a certificate is not trusted.
            None => error
                .source()
                .map_or(String::new(), |why| format!(" ({why})")),
        };
        Error::new(kind, format!("{doing}: {hint}{said}")).with_source(error)
    }
}

fn meaning(error: &DriverError) -> (ErrorKind, &'static str) {
    let Some(code) = error.code() else {
        return (
            ErrorKind::Storage,
            "the connection to PostgreSQL failed; check that the server runs and can be reached",
        );
    };
    match code {
        c if *c == SqlState::T_R_SERIALIZATION_FAILURE
            || *c == SqlState::T_R_DEADLOCK_DETECTED
            || *c == SqlState::LOCK_NOT_AVAILABLE
            // An id that another writer created at the same time.
            || *c == SqlState::UNIQUE_VIOLATION =>
        {
            (ErrorKind::Busy, "other writers were in the way; try again")
        }
        c if *c == SqlState::QUERY_CANCELED => (ErrorKind::Timeout, "the call was interrupted"),
        c if *c == SqlState::TOO_MANY_CONNECTIONS => (
            ErrorKind::Busy,
            "PostgreSQL takes no more connections; ask for fewer, or raise max_connections",
        ),
        c if *c == SqlState::DISK_FULL || *c == SqlState::OUT_OF_MEMORY => (
            ErrorKind::Storage,
            "the server is out of disk or memory; make room and write again",
        ),
        c if *c == SqlState::INVALID_PASSWORD
            || *c == SqlState::INVALID_AUTHORIZATION_SPECIFICATION =>
        {
            (
                ErrorKind::Storage,
                "PostgreSQL does not let this user in; check user and password",
            )
        }
        c if *c == SqlState::UNDEFINED_DATABASE => (
            ErrorKind::Storage,
            "there is no such database; create it, or check the address",
        ),
        c if *c == SqlState::INSUFFICIENT_PRIVILEGE => (
            ErrorKind::Storage,
            "this user may not do that; grant it the right",
        ),
        c if *c == SqlState::READ_ONLY_SQL_TRANSACTION => (
            ErrorKind::Storage,
            "this server only reads, as a standby does; connect to the primary",
        ),
        c if *c == SqlState::PROGRAM_LIMIT_EXCEEDED => (
            ErrorKind::InvalidValue,
            "an id, or the value of an indexed field, is longer than PostgreSQL can index (about 2,700 bytes)",
        ),
        _ => (ErrorKind::Storage, "the database reported an error"),
    }
}

/// A connection that could not be had.
pub(crate) fn connecting(error: PoolError) -> Error {
    match error {
        PoolError::Backend(error) => storage("connecting")(error),
        PoolError::Timeout(_) => Error::new(
            ErrorKind::Busy,
            "every connection of the pool is in use; try again, or allow more connections",
        ),
        PoolError::Closed => Error::new(
            ErrorKind::Closed,
            "the store has been closed; open it again",
        ),
        other => Error::new(ErrorKind::Storage, "no connection can be had").with_source(other),
    }
}

/// What was being done to a document type, for messages.
#[derive(Clone, Copy)]
pub(crate) struct Doing<'a>(pub(crate) &'static str, pub(crate) &'a str);

impl fmt::Display for Doing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(verb, name) = self;
        write!(f, "{verb} `{name}`")
    }
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

/// Whether the connection is gone, by the server's word or without one.
pub(crate) fn is_lost(error: &DriverError) -> bool {
    match error.code() {
        None => true,
        Some(code) => {
            *code == SqlState::ADMIN_SHUTDOWN
                || *code == SqlState::CRASH_SHUTDOWN
                || *code == SqlState::CANNOT_CONNECT_NOW
                || *code == SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT
        }
    }
}
