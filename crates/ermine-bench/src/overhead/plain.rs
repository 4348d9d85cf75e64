//! SQL written by hand, on tables written by hand and on the library's own.

use std::time::{Duration, Instant};

use ermine::Vector;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Client, Statement};

use super::Query;
use crate::Result;

/// A statement of a few parameters: the vector, and the text where it says `$2`.
pub(super) struct Variant {
    pub(super) name: &'static str,
    pub(super) sql: String,
}

/// A prepared variant.
pub(super) struct Prepared {
    statement: Statement,
    with_text: bool,
}

/// A connection, and where the tables are.
pub(super) struct Plain<'a> {
    client: &'a Client,
    schema: &'a str,
}

impl<'a> Plain<'a> {
    /// Makes the table that somebody would write for this alone, with what is stored
    /// already, and lets the server learn of all tables.
    pub(super) async fn new(client: &'a Client, schema: &'a str) -> Result<Self> {
        let plain = Self { client, schema };
        let [documents, vectors, table] = [
            plain.table("ermine_doc_glosses"),
            plain.table("ermine_vec_glosses.embedding"),
            plain.table("by_hand"),
        ];
        client
            .batch_execute(&format!(
                "CREATE TABLE {table} (
                   id bigint PRIMARY KEY, half bigint NOT NULL, body text NOT NULL, embedding vector(256) NOT NULL,
                   words tsvector GENERATED ALWAYS AS (to_tsvector('english', body)) STORED);
                 ALTER TABLE {table} ALTER embedding SET STORAGE PLAIN;
                 INSERT INTO {table} (id, half, body, embedding)
                   SELECT d.id, d.id % 2, d.body::json ->> 'body', v.data FROM {documents} AS d
                   JOIN {vectors} AS v USING (doc) WHERE v.data IS NOT NULL;
                 CREATE INDEX ON {table} USING gin (words)"
            ))
            .await?;
        client.batch_execute("VACUUM ANALYZE").await?;
        Ok(plain)
    }

    /// A table's full name.
    pub(super) fn table(&self, name: &str) -> String {
        format!("{}.\"{name}\"", self.schema)
    }

    /// The median time of a statement that does nothing.
    pub(super) async fn round_trip(&self) -> Result<Duration> {
        let statement = self.client.prepare("SELECT 1").await?;
        let mut times = crate::timing::Times::default();
        for _ in 0..1_000 {
            let begun = Instant::now();
            self.client.query(&statement, &[]).await?;
            times.add(begun.elapsed());
        }
        Ok(times.percentile(50))
    }

    pub(super) async fn prepare(&self, variants: &[Variant]) -> Result<Vec<Prepared>> {
        let mut prepared = Vec::new();
        for variant in variants {
            prepared.push(Prepared {
                statement: self.client.prepare(&variant.sql).await?,
                with_text: variant.sql.contains("$2"),
            });
        }
        Ok(prepared)
    }

    /// Runs a variant and reads its rows: id, body and figure. Returns how many there are.
    pub(super) async fn run(&self, prepared: &Prepared, query: &Query) -> Result<usize> {
        let vector = Elements(&query.vector);
        let mut values: Vec<&(dyn ToSql + Sync)> = vec![&vector];
        if prepared.with_text {
            values.push(&query.text);
        }
        let rows = self.client.query(&prepared.statement, &values).await?;
        for row in &rows {
            let _: (i64, String, f64) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        }
        Ok(rows.len())
    }
}

/// A vector in pgvector's binary form.
#[derive(Debug)]
struct Elements<'a>(&'a Vector);

impl ToSql for Elements<'_> {
    fn to_sql(
        &self,
        _: &Type,
        out: &mut BytesMut,
    ) -> std::result::Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        out.extend_from_slice(&u16::try_from(self.0.len())?.to_be_bytes());
        out.extend_from_slice(&[0, 0]);
        for element in self.0.as_slice() {
            out.extend_from_slice(&element.to_be_bytes());
        }
        Ok(IsNull::No)
    }

    fn accepts(ty: &Type) -> bool {
        ty.name() == "vector"
    }

    to_sql_checked!();
}
