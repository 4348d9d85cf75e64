//! One state of the database, for the length of a call.

use ermine_core::{Error, ErrorKind, Include, Result, Token};
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::catalog;
use crate::error::storage;

/// A read transaction. It ends when it is dropped.
pub(crate) struct Snapshot<'c> {
    transaction: Transaction<'c>,
    commits: u64,
}

impl<'c> Snapshot<'c> {
    /// Begins a read transaction. The state it sees is settled here, not at its
    /// first use: the commit number is read.
    pub(crate) fn begin(connection: &'c mut Connection) -> Result<Self> {
        let transaction = connection
            .transaction_with_behavior(TransactionBehavior::Deferred)
            .map_err(storage("beginning to read"))?;
        let commits = catalog::commits(&transaction)?;
        Ok(Self {
            transaction,
            commits,
        })
    }

    /// The connection, inside the transaction.
    pub(crate) fn connection(&self) -> &Connection {
        &self.transaction
    }

    /// Refuses to answer where a commit that must be seen is not here yet.
    pub(crate) fn check(&self, include: Include) -> Result<()> {
        let here = Token::at(self.commits);
        match include.at_least {
            Some(wanted) if wanted.commit() > self.commits => Err(Error::new(
                ErrorKind::Timeout,
                format!(
                    "the database is at commit {here}, and the call must see {wanted}; a token is good for the database that gave it only"
                ),
            )),
            _ => Ok(()),
        }
    }
}
