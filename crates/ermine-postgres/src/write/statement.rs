//! Statements with their values, sent together.

use std::borrow::Cow;

use ermine_core::{Id, Position, Token};
use ermine_sql::{Sql, encode_id};
use futures_util::future::{join, join_all};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Error as DriverError, Row};

use super::failure::{Failure, Sent, of_commit, of_statement};
use crate::bind::{Bind, array_of, type_of};
use crate::error::storage;
use crate::layout::Layout;

/// A statement and what it binds.
pub(super) struct Statement<'a> {
    sql: Cow<'a, str>,
    values: Vec<(Box<dyn ToSql + Sync + Send + 'a>, Type)>,
}

impl<'a> Statement<'a> {
    pub(super) fn new(sql: impl Into<Cow<'a, str>>) -> Self {
        Self {
            sql: sql.into(),
            values: Vec::new(),
        }
    }

    /// A built statement.
    pub(super) fn of(sql: Sql) -> Self {
        let (text, values) = sql.into_parts();
        let statement = Self::new(text);
        values.into_iter().fold(statement, |statement, value| {
            let ty = type_of(&value);
            statement.bind(Bind::owned(value), ty)
        })
    }

    /// Binds ids as its next value.
    pub(super) fn bind_ids(self, layout: &Layout, ids: impl IntoIterator<Item = &'a Id>) -> Self {
        let ids: Vec<Bind<'a>> = ids
            .into_iter()
            .map(|id| Bind::owned(encode_id(id)))
            .collect();
        self.bind(ids, array_of(&layout.id))
    }

    /// Binds its next value.
    pub(super) fn bind(mut self, value: impl ToSql + Sync + Send + 'a, ty: Type) -> Self {
        self.values.push((Box::new(value), ty));
        self
    }

    async fn run(&self, client: &Client) -> Result<u64, DriverError> {
        client.execute_typed(&self.sql, &self.values()).await
    }

    /// What it answers with.
    pub(super) async fn rows(&self, client: &Client) -> Result<Vec<Row>, DriverError> {
        client.query_typed(&self.sql, &self.values()).await
    }

    fn values(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        self.values
            .iter()
            .map(|(value, ty)| (&**value as &(dyn ToSql + Sync), ty.clone()))
            .collect()
    }
}

/// Sends statements in order, in one flush, and returns how many rows each changed.
pub(super) async fn send(
    client: &Client,
    statements: &[Statement<'_>],
) -> Result<Vec<u64>, Failure> {
    let results = join_all(statements.iter().map(|s| s.run(client))).await;
    changed(results, Sent::Statements)
}

/// What a unit that takes no positions is told of its commit.
pub(super) const NUMBER: &str = "SELECT pg_current_xact_id()::text, NULL::bigint";

/// What one is told that does: the last position this connection took, too.
pub(super) const NUMBER_AND_POSITION: &str =
    "SELECT pg_current_xact_id()::text, currval('ermine_positions')";

/// Sends statements and the commit behind them, in one flush. Returns how many rows
/// each statement changed, and what `told` asks for.
///
/// Where a statement fails the server takes the commit for a rollback.
pub(super) async fn send_and_commit(
    client: &Client,
    statements: &[Statement<'_>],
    told: &str,
) -> Result<(Vec<u64>, Token), Failure> {
    let statements = join_all(statements.iter().map(|s| s.run(client)));
    let number = client.query_typed(told, &[]);
    let end = join(number, client.batch_execute("COMMIT"));
    let (results, (number, committed)) = join(statements, end).await;
    let changed = changed(results, Sent::Commit)?;
    let rows = number.map_err(|e| of_statement(e, Sent::Commit))?;
    committed.map_err(of_commit)?;
    let reading = || storage("reading a commit's number");
    let (text, position): (&str, Option<i64>) = match rows.first() {
        Some(row) => (
            row.try_get(0).map_err(reading())?,
            row.try_get(1).map_err(reading())?,
        ),
        None => ("", None),
    };
    let position = position.map(|position| Position::at(position.cast_unsigned()));
    // A transaction's number is one; that it is read must not undo what is stored.
    let token = Token::at(text.parse().unwrap_or(0)).with_position(position);
    Ok((changed, token))
}

fn changed(results: Vec<Result<u64, DriverError>>, sent: Sent) -> Result<Vec<u64>, Failure> {
    results
        .into_iter()
        .map(|result| result.map_err(|e| of_statement(e, sent)))
        .collect()
}
