//! The floor: the database itself, without Ermine, with the same promise that a commit is on the disk.

use std::path::Path;
use std::time::Instant;

use rusqlite::Connection;
use tokio_postgres::NoTls;

use super::{BATCH, data, rate, stream};
use crate::Result;
use crate::place::Place;

/// How many rows are written one by one.
const SINGLE: usize = 2_000;

const TABLE: &str =
    "CREATE TABLE floor (stream TEXT NOT NULL, version BIGINT NOT NULL, data TEXT NOT NULL)";

/// Writes rows like those of events: one in a transaction, then many.
pub(super) async fn run(place: &Place, events: usize, streams: usize) -> Result<()> {
    let (single, batches) = match place {
        Place::File(file) => sqlite(&file.with_extension("floor"), events, streams)?,
        Place::Schema { url, schema } => postgres(url, schema, events, streams).await?,
    };
    println!("floor, a row in a transaction: {single:.0} rows/s");
    println!("floor, {BATCH} rows in a transaction: {batches:.0} rows/s");
    Ok(())
}

fn sqlite(file: &Path, events: usize, streams: usize) -> Result<(f64, f64)> {
    let mut connection = Connection::open(file)?;
    connection.execute_batch(&format!(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32768; {TABLE}"
    ))?;
    let mut write = |numbers: std::ops::Range<usize>| -> Result<()> {
        let transaction = connection.transaction()?;
        {
            let mut insert = transaction.prepare_cached("INSERT INTO floor VALUES (?1, ?2, ?3)")?;
            for number in numbers {
                insert.execute((
                    stream(number, streams),
                    (number / streams) as i64,
                    data(number),
                ))?;
            }
        }
        Ok(transaction.commit()?)
    };
    let begun = Instant::now();
    (0..SINGLE).try_for_each(|number| write(number..number + 1))?;
    let single = rate(SINGLE, begun);
    let begun = Instant::now();
    for first in (0..events).step_by(BATCH) {
        write(first..events.min(first + BATCH))?;
    }
    Ok((single, rate(events, begun)))
}

async fn postgres(url: &str, schema: &str, events: usize, streams: usize) -> Result<(f64, f64)> {
    let (mut client, connection) = tokio_postgres::connect(url, NoTls).await?;
    let connection = tokio::spawn(connection);
    client
        .batch_execute(&format!(
            "CREATE SCHEMA IF NOT EXISTS \"{schema}\"; SET search_path = \"{schema}\"; {TABLE}"
        ))
        .await?;
    let insert = client
        .prepare("INSERT INTO floor SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[])")
        .await?;
    let mut write = async |numbers: std::ops::Range<usize>| -> Result<()> {
        let streams_of: Vec<String> = numbers.clone().map(|n| stream(n, streams)).collect();
        let versions: Vec<i64> = numbers.clone().map(|n| (n / streams) as i64).collect();
        let rows: Vec<String> = numbers.map(data).collect();
        let transaction = client.transaction().await?;
        transaction
            .execute(&insert, &[&streams_of, &versions, &rows])
            .await?;
        Ok(transaction.commit().await?)
    };
    let begun = Instant::now();
    for number in 0..SINGLE {
        write(number..number + 1).await?;
    }
    let single = rate(SINGLE, begun);
    let begun = Instant::now();
    for first in (0..events).step_by(BATCH) {
        write(first..events.min(first + BATCH)).await?;
    }
    let batches = rate(events, begun);
    client.batch_execute("DROP TABLE floor").await?;
    drop(client);
    connection.await??;
    Ok((single, batches))
}
