//! A group of units in one transaction.
//!
//! Each unit has a savepoint of its own, so that one that fails fails alone.
//! Nobody is told anything before COMMIT: a conflict may rest on a unit of the
//! same group, which that COMMIT may lose.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ermine_core::{Error, ErrorKind, Result};
use rusqlite::Connection;

use crate::catalog;
use crate::error::{copy, panicked, storage};

/// What became of a group.
pub(crate) struct GroupResult<R> {
    /// For each item, the number of its commit and what writing it gave, or its error.
    pub(crate) items: Vec<Result<(u64, R)>>,
    /// What the transaction's end did to the connection.
    pub(crate) connection: ConnectionState,
}

/// Whether a connection can be used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConnectionState {
    Sound,
    /// COMMIT failed: open another.
    Doubtful,
}

/// Writes items in the transaction that `begin` begins; `apply` writes one.
pub(crate) fn run<T, R>(
    connection: &Connection,
    items: &[T],
    begin: &mut dyn FnMut(&Connection) -> Result<()>,
    apply: &mut dyn FnMut(&Connection, &T) -> Result<R>,
) -> GroupResult<R> {
    if let Err(error) = begin(connection) {
        return all_failed(items.len(), &error, ConnectionState::Sound);
    }
    let mut outcomes = Vec::with_capacity(items.len());
    for item in items {
        outcomes.push(in_savepoint(connection, item, apply));
        if connection.is_autocommit() {
            // The error ended the transaction, and with it what was written before:
            // the units are frozen, so each is written again by itself.
            return match (items, outcomes.pop()) {
                ([_], Some(Err(error))) => all_failed(1, &error, ConnectionState::Sound),
                _ => one_by_one(connection, items, begin, apply),
            };
        }
    }
    if outcomes.iter().all(Result::is_err) {
        roll_back(connection);
        return GroupResult {
            items: outcomes.into_iter().map(|o| o.map(|r| (0, r))).collect(),
            connection: ConnectionState::Sound,
        };
    }
    let commit = match catalog::count_commit(connection) {
        Ok(commit) => commit,
        Err(error) => {
            roll_back(connection);
            let items = outcomes
                .into_iter()
                .map(|outcome| outcome.and_then(|_| Err(copy(&error))))
                .collect();
            return GroupResult {
                items,
                connection: ConnectionState::Sound,
            };
        }
    };
    if let Err(error) = connection.execute_batch("COMMIT") {
        let error = Error::new(
            ErrorKind::OutcomeUnknown,
            "the commit failed at its end: the unit may be stored or not; read before writing it again",
        )
        .with_source(storage("committing")(error));
        return all_failed(items.len(), &error, ConnectionState::Doubtful);
    }
    GroupResult {
        items: outcomes
            .into_iter()
            .map(|o| o.map(|written| (commit, written)))
            .collect(),
        connection: ConnectionState::Sound,
    }
}

fn one_by_one<T, R>(
    connection: &Connection,
    items: &[T],
    begin: &mut dyn FnMut(&Connection) -> Result<()>,
    apply: &mut dyn FnMut(&Connection, &T) -> Result<R>,
) -> GroupResult<R> {
    let mut results = Vec::with_capacity(items.len());
    for item in items {
        let mut one = run(connection, std::slice::from_ref(item), begin, apply);
        results.append(&mut one.items);
        if one.connection == ConnectionState::Doubtful {
            let unwritten = Error::new(
                ErrorKind::Storage,
                "not written: the connection failed at a unit before it; write it again",
            );
            results.resize_with(items.len(), || Err(copy(&unwritten)));
            return GroupResult {
                items: results,
                connection: ConnectionState::Doubtful,
            };
        }
    }
    GroupResult {
        items: results,
        connection: ConnectionState::Sound,
    }
}

fn in_savepoint<T, R>(
    connection: &Connection,
    item: &T,
    apply: &mut dyn FnMut(&Connection, &T) -> Result<R>,
) -> Result<R> {
    let statement = |sql: &str| {
        connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute([]))
            .map(drop)
            .map_err(storage("writing a unit"))
    };
    statement("SAVEPOINT unit")?;
    // What the closure leaves half-done is in the savepoint, which is rolled back.
    let applied = catch_unwind(AssertUnwindSafe(|| apply(connection, item)))
        .unwrap_or_else(|panic| Err(panicked("writing a unit", &*panic)));
    if connection.is_autocommit() {
        return applied;
    }
    let undone = match &applied {
        Ok(_) => Ok(()),
        Err(_) => statement("ROLLBACK TO unit"),
    };
    if let Err(error) = undone.and_then(|()| statement("RELEASE unit")) {
        // What is left of the unit must not be committed with the others.
        roll_back(connection);
        return applied.and_then(|_| Err(error));
    }
    applied
}

fn roll_back(connection: &Connection) {
    if !connection.is_autocommit() {
        // Nothing is lost where it fails: the transaction ends with its connection.
        let _ = connection.execute_batch("ROLLBACK");
    }
}

fn all_failed<R>(count: usize, error: &Error, connection: ConnectionState) -> GroupResult<R> {
    GroupResult {
        items: (0..count).map(|_| Err(copy(error))).collect(),
        connection,
    }
}

#[cfg(test)]
mod tests;
