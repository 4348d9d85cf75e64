//! PostgreSQL under test: a schema of its own, in the database that the environment names.

use std::error::Error as _;

use ermine_compliance::{Database, Fixture, Overwriting, Place};
use ermine_core::{Backend, BoxFuture, Engine, Error, ErrorKind, Id, Result};
use ermine_postgres::Postgres;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Client, NoTls};

use crate::cell::runtime;

const VARIABLE: &str = "ERMINE_TEST_POSTGRES";

pub(crate) struct PostgresFixture;

struct PostgresSchema {
    url: String,
    name: String,
}

impl Fixture for PostgresFixture {
    fn name(&self) -> &'static str {
        "postgres"
    }

    fn fresh(&self) -> BoxFuture<'_, Result<Box<dyn Database>>> {
        Box::pin(async {
            let url = std::env::var(VARIABLE).map_err(|_| {
                Error::new(
                    ErrorKind::Storage,
                    format!(
                        "{VARIABLE} is not set: `cargo xtask test` sets it, and `cargo xtask \
                         postgres` runs a server and prints it"
                    ),
                )
            })?;
            let name = format!("facts_{}", ermine_core::new_id().simple());
            Ok(Box::new(PostgresSchema { url, name }) as Box<dyn Database>)
        })
    }
}

impl PostgresSchema {
    /// Runs plain SQL that must change one row.
    async fn change(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<(), ChangeError> {
        let client = connected(&self.url).await?;
        let path = format!("SET search_path TO {}, public", self.name);
        client.batch_execute(&path).await?;
        match client.execute(sql, values).await? {
            1 => Ok(()),
            rows => Err(ChangeError::Rows(rows, sql.to_owned())),
        }
    }
}

/// Why plain SQL did not change one row.
#[derive(Debug)]
enum ChangeError {
    Rows(u64, String),
    Database(tokio_postgres::Error),
}

impl From<tokio_postgres::Error> for ChangeError {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Database(error)
    }
}

impl From<ChangeError> for Error {
    fn from(error: ChangeError) -> Self {
        let message = match error {
            ChangeError::Rows(rows, sql) => format!("{rows} rows were changed by: {sql}"),
            ChangeError::Database(error) => match error.source() {
                Some(source) => format!("{error}: {source}"),
                None => error.to_string(),
            },
        };
        Error::new(ErrorKind::Storage, message)
    }
}

async fn connected(url: &str) -> Result<Client, tokio_postgres::Error> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}

/// The schema goes with the value, on a thread of its own, since this one may be running futures.
impl Drop for PostgresSchema {
    fn drop(&mut self) {
        let sql = format!("DROP SCHEMA IF EXISTS {} CASCADE", self.name);
        let url = self.url.clone();
        let dropped = std::thread::spawn(move || {
            runtime().block_on(async { connected(&url).await?.batch_execute(&sql).await })
        });
        let dropped = dropped.join().expect("the thread ends");
        if !std::thread::panicking() {
            dropped.expect("the schema is dropped");
        }
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The tables of PostgreSQL are named in its own documentation; they are part of its format.
fn documents(document: Place<'_>) -> String {
    quoted(&format!("ermine_doc_{}", document.collection))
}

fn key(document: Place<'_>) -> (String, String) {
    let tenant = document.tenant.map_or("", |tenant| tenant.as_str());
    let Id::Text(id) = document.id else {
        panic!("facts that reach behind the store use ids of text")
    };
    (tenant.to_owned(), id.clone())
}

/// A vector in pgvector's binary form, whatever it holds.
#[derive(Debug)]
struct RawVector(Vec<u8>);

impl RawVector {
    /// Of elements in the other byte order; bytes beyond the last whole element follow it.
    fn of(little_endian: &[u8]) -> Self {
        let (elements, rest) = little_endian.as_chunks::<4>();
        let dimensions = u16::try_from(elements.len()).expect("facts use short vectors");
        let mut bytes = dimensions.to_be_bytes().to_vec();
        bytes.extend([0, 0]);
        for [a, b, c, d] in elements {
            bytes.extend([d, c, b, a]);
        }
        bytes.extend(rest);
        Self(bytes)
    }
}

impl ToSql for RawVector {
    fn to_sql(
        &self,
        _: &Type,
        out: &mut BytesMut,
    ) -> std::result::Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        out.extend_from_slice(&self.0);
        Ok(IsNull::No)
    }

    fn accepts(ty: &Type) -> bool {
        ty.name() == "vector"
    }

    to_sql_checked!();
}

impl Database for PostgresSchema {
    fn connect(&self) -> BoxFuture<'_, Result<Engine>> {
        Box::pin(Postgres::url(&self.url).schema(&self.name).connect())
    }

    fn overwrite_vector<'a>(
        &'a self,
        document: Place<'a>,
        field: &'a str,
        bytes: &'a [u8],
    ) -> BoxFuture<'a, Result<Overwriting>> {
        Box::pin(async move {
            let vectors = quoted(&format!("ermine_vec_{}.{field}", document.collection));
            let documents = documents(document);
            let (tenant, id) = key(document);
            let sql = format!(
                "UPDATE {vectors} SET data = $1 WHERE data IS NOT NULL AND doc = \
                 (SELECT doc FROM {documents} WHERE tenant = $2 AND id = $3)"
            );
            match self
                .change(&sql, &[&RawVector::of(bytes), &tenant, &id])
                .await
            {
                Ok(()) => Ok(Overwriting::Done),
                // Class 22: the value is none of its type. Anything else is a mistake of ours.
                Err(ChangeError::Database(error))
                    if error
                        .code()
                        .is_some_and(|code| code.code().starts_with("22")) =>
                {
                    Ok(Overwriting::RefusedByTheDatabase)
                }
                Err(error) => Err(error.into()),
            }
        })
    }

    fn overwrite_body<'a>(
        &'a self,
        document: Place<'a>,
        body: &'a str,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let documents = documents(document);
            let (tenant, id) = key(document);
            let sql = format!("UPDATE {documents} SET body = $1 WHERE tenant = $2 AND id = $3");
            Ok(self.change(&sql, &[&body, &tenant, &id]).await?)
        })
    }
}
