//! Looking on while an index is built.

use std::time::Duration;

use ermine_core::{Result, Schema};
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Row};

use crate::error::storage;
use crate::pool::Pool;
use crate::progress::{IndexProgress, Reporting};

/// How often the database is asked.
const PAUSE: Duration = Duration::from_millis(250);

/// Runs a build on its connection, and reports from another one how far it is. A
/// report that fails is left out: the build goes on.
pub(super) async fn beside(
    pool: &Pool,
    client: &Client,
    building: impl Future<Output = Result<()>>,
    reporting: &Reporting,
    schema: &Schema,
    field: &str,
) -> Result<()> {
    let Some(report) = reporting.as_deref() else {
        return building.await;
    };
    let reading = || storage("asking which connection this is");
    let row = client.query_typed("SELECT pg_backend_pid()", &[]).await;
    let row = row.map_err(reading())?;
    let Some(Ok(builder)) = row.first().map(|row| row.try_get::<_, i32>(0)) else {
        return building.await;
    };
    let looking = async {
        loop {
            if let Ok(lease) = pool.get().await {
                if let Ok(client) = lease.client()
                    && let Ok(rows) = look(client, builder).await
                {
                    for row in &rows {
                        if let Ok(progress) = read(row, schema, field) {
                            report(&progress);
                        }
                    }
                }
                lease.give_back();
            }
            tokio::time::sleep(PAUSE).await;
        }
    };
    let looking = std::pin::pin!(looking);
    let building = std::pin::pin!(building);
    match futures_util::future::select(building, looking).await {
        futures_util::future::Either::Left((done, _)) => done,
        futures_util::future::Either::Right((never, _)) => never,
    }
}

async fn look(
    client: &Client,
    builder: i32,
) -> std::result::Result<Vec<Row>, tokio_postgres::Error> {
    client
        .query_typed(
            // Rows are counted too while a table is read, and their total is not known.
            "SELECT phase, CASE WHEN blocks_total > 0 THEN blocks_done ELSE tuples_done END,
                    CASE WHEN blocks_total > 0 THEN blocks_total ELSE tuples_total END
             FROM pg_stat_progress_create_index WHERE pid = $1",
            &[(&builder, Type::INT4)],
        )
        .await
}

fn read(
    row: &Row,
    schema: &Schema,
    field: &str,
) -> std::result::Result<IndexProgress, tokio_postgres::Error> {
    let count = |at| -> std::result::Result<u64, tokio_postgres::Error> {
        Ok(u64::try_from(row.try_get::<_, i64>(at)?).unwrap_or_default())
    };
    Ok(IndexProgress {
        collection: schema.name().to_owned(),
        field: field.to_owned(),
        phase: row.try_get(0)?,
        done: count(1)?,
        total: count(2)?,
    })
}
