//! SQLite under test: a database in a file of its own.

use ermine_compliance::{Database, Fixture, Overwriting, Place};
use ermine_core::{Backend, BoxFuture, Engine, Error, ErrorKind, Id, Result};
use ermine_sqlite::Sqlite;
use rusqlite::{Connection, ToSql, params};
use tempfile::TempDir;

pub(crate) struct SqliteFixture;

struct SqliteFile {
    folder: TempDir,
}

impl Fixture for SqliteFixture {
    fn name(&self) -> &'static str {
        "sqlite"
    }

    fn fresh(&self) -> BoxFuture<'_, Result<Box<dyn Database>>> {
        Box::pin(async {
            let folder = TempDir::new().map_err(failed)?;
            Ok(Box::new(SqliteFile { folder }) as Box<dyn Database>)
        })
    }
}

impl SqliteFile {
    fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("facts.db")
    }

    /// Runs plain SQL that must change one row.
    fn change(&self, sql: &str, values: &[&dyn ToSql]) -> Result<()> {
        let connection = Connection::open(self.path()).map_err(failed)?;
        match connection.execute(sql, values).map_err(failed)? {
            1 => Ok(()),
            rows => Err(Error::new(
                ErrorKind::Missing,
                format!("{rows} rows were changed by: {sql}"),
            )),
        }
    }
}

fn failed(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::new(ErrorKind::Storage, error.to_string()).with_source(error)
}

fn quoted(name: String) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The tables of SQLite are named in its own documentation; they are part of its format.
fn documents(document: Place<'_>) -> String {
    quoted(format!("ermine_doc_{}", document.collection))
}

fn key(document: Place<'_>) -> (String, String) {
    let tenant = document.tenant.map_or("", |tenant| tenant.as_str());
    let Id::Text(id) = document.id else {
        panic!("facts that reach behind the store use ids of text")
    };
    (tenant.to_owned(), id.clone())
}

impl Database for SqliteFile {
    fn connect(&self) -> BoxFuture<'_, Result<Engine>> {
        Box::pin(Sqlite::file(self.path()).connect())
    }

    fn overwrite_vector<'a>(
        &'a self,
        document: Place<'a>,
        field: &'a str,
        bytes: &'a [u8],
    ) -> BoxFuture<'a, Result<Overwriting>> {
        Box::pin(async move {
            let vectors = quoted(format!("ermine_vec_{}.{field}", document.collection));
            let documents = documents(document);
            let (tenant, id) = key(document);
            let sql = format!(
                "UPDATE {vectors} SET data = ?1 WHERE data IS NOT NULL AND doc = \
                 (SELECT doc FROM {documents} WHERE tenant = ?2 AND id = ?3)"
            );
            self.change(&sql, params![bytes, tenant, id])?;
            Ok(Overwriting::Done)
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
            let sql = format!("UPDATE {documents} SET body = ?1 WHERE tenant = ?2 AND id = ?3");
            self.change(&sql, params![body, tenant, id])
        })
    }
}
