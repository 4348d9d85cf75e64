//! One state of the database, for the length of a call.

use std::error::Error as _;
use std::future::Future;

use ermine_core::{Error, ErrorKind, Include, Result, Token};
use futures_util::FutureExt;
use tokio_postgres::Client;
use tokio_postgres::types::Type;

use crate::error::storage;
use crate::pool::{Lease, Pool};

/// A read-only transaction. Its state of the database is settled by its first statement.
pub(crate) struct Snapshot(Lease);

impl Snapshot {
    /// Begins to read, on a connection of the pool. Nothing is waited for: the first
    /// statement follows in the same flush, and fails where this did.
    pub(crate) async fn begin(pool: &Pool) -> Result<Self> {
        let lease = pool.get().await?;
        let begun = lease
            .client()?
            .batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            .now_or_never();
        match begun {
            None | Some(Ok(())) => Ok(Self(lease)),
            Some(Err(error)) => Err(storage("beginning to read")(error)),
        }
    }

    pub(crate) fn client(&self) -> Result<&Client> {
        self.0.client()
    }

    /// Ends the transaction, whatever came of it. A call that was given up never comes
    /// here: its connection is in the middle of something and is closed.
    pub(crate) fn end<T>(self, answer: Result<T>) -> Result<T> {
        self.0.give_back_after_reading();
        answer
    }

    /// Refuses to answer where a commit that must be seen is not in this state.
    pub(crate) async fn check(&self, include: Include) -> Result<()> {
        let Some(token) = include.at_least else {
            return Ok(());
        };
        let wanted = token.commit().to_string();
        let rows = self
            .client()?
            .query_typed(
                "SELECT pg_visible_in_snapshot($1::xid8, pg_current_snapshot())",
                &[(&wanted, Type::TEXT)],
            )
            .await
            .map_err(storage("comparing a token"))?;
        let visible = match rows.first() {
            Some(row) => row.try_get(0).map_err(storage("comparing a token"))?,
            None => false,
        };
        if visible {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Timeout,
            format!(
                "the database has not seen commit {}, which the call must see; a token is good for the database that gave it only",
                Token::at(token.commit())
            ),
        ))
    }
}

/// Runs a read; once more, on another connection, where its own turned out to be lost:
/// the pool learns of a server's restart only by trying.
pub(crate) async fn again_if_lost<T, F: Future<Output = Result<T>>>(
    read: impl Fn() -> F,
) -> Result<T> {
    match read().await {
        Err(error) if is_lost(&error) => read().await,
        answer => answer,
    }
}

fn is_lost(error: &Error) -> bool {
    let driver = error
        .source()
        .and_then(|source| source.downcast_ref::<tokio_postgres::Error>());
    driver.is_some_and(crate::error::is_lost)
}
