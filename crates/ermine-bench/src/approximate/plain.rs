//! The same search as SQL, whose plan is the planner's own choice.

use std::time::{Duration, Instant};

use ermine::Vector;
use tokio_postgres::{Client, NoTls};

use crate::Result;

pub(crate) struct Plain {
    client: Client,
}

impl Plain {
    /// A connection on which an index goes on until enough rows pass.
    pub(crate) async fn connect(url: &str, schema: &str) -> Result<Self> {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
        tokio::spawn(connection);
        // The extension's settings are known once its library is loaded.
        client
            .batch_execute(&format!(
                "LOAD 'vector'; SET hnsw.iterative_scan = relaxed_order; SET jit = off; SET search_path = {schema}, public"
            ))
            .await?;
        Ok(Self { client })
    }

    pub(crate) async fn analyze(&self) -> Result<()> {
        let sql = "VACUUM (ANALYZE) ermine_doc_glosses; VACUUM (ANALYZE) \"ermine_vec_glosses.embedding\"";
        for statement in sql.split(';') {
            self.client.batch_execute(statement).await?;
        }
        Ok(())
    }

    /// The ids of the nearest, and how long that took.
    pub(crate) async fn nearest(
        &self,
        query: &Vector,
        filter: Option<&str>,
        limit: usize,
    ) -> Result<(Vec<String>, Duration)> {
        let elements: Vec<String> = query.as_slice().iter().map(f32::to_string).collect();
        // The index is partial, and the condition its own.
        let sql = format!(
            "SELECT d.id, d.body, v.data <=> '[{}]' AS distance FROM \"ermine_vec_glosses.embedding\" AS v JOIN ermine_doc_glosses AS d ON d.doc = v.doc WHERE d.deleted IS NULL AND v.norm BETWEEN 1e-15 AND 1e15 AND {} ORDER BY distance LIMIT {limit}",
            elements.join(","),
            filter.unwrap_or("TRUE")
        );
        let begun = Instant::now();
        let rows = self.client.query_typed(&sql, &[]).await?;
        let time = begun.elapsed();
        let ids = rows.iter().map(|row| row.try_get::<_, i64>(0));
        let ids = ids.map(|id| Ok(id?.to_string())).collect::<Result<_>>()?;
        Ok((ids, time))
    }
}
