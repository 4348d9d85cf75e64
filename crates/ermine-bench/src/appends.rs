//! How fast connections append events at once on PostgreSQL, beside rows inserted by hand.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ermine::{Event, Postgres, Store};
use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;
use tokio_postgres::{Client, NoTls, Statement};

use crate::Result;

/// How many connections write at once.
const CONNECTIONS: [usize; 3] = [1, 8, 32];

/// How many events a transaction has.
const BATCHES: [usize; 2] = [1, 100];

/// How many streams each connection appends to, in turn.
const STREAMS: usize = 100;

const TEXT: &str = "what was said, in about as many letters as a short sentence has in it";

#[derive(Debug, Clone, Event, Serialize, Deserialize)]
enum Log {
    Written { text: String, number: usize },
}

/// A table of rows that say as much as an event, in an order of their own.
const RAW: &str = "CREATE TABLE raw_events (
  position bigserial PRIMARY KEY, stream text NOT NULL, version bigint NOT NULL,
  id uuid NOT NULL UNIQUE, type text NOT NULL, at timestamptz NOT NULL, data text NOT NULL,
  UNIQUE (stream, version))";

const INSERT: &str = "INSERT INTO raw_events (stream, version, id, type, at, data)
 SELECT $1, $2 + n, gen_random_uuid(), 'log.written', now(), $3 FROM generate_series(1, $4::bigint) AS n";

/// How many transactions a writer made, or what went wrong.
type Written = std::result::Result<usize, String>;

/// Rows and transactions of some time.
struct Rate {
    transactions: usize,
    time: Duration,
}

impl Rate {
    fn per_second(&self, rows: usize) -> f64 {
        (self.transactions * rows) as f64 / self.time.as_secs_f64()
    }
}

pub(crate) async fn run(seconds: u64) -> Result<()> {
    let url = std::env::var("ERMINE_TEST_POSTGRES")
        .map_err(|_| "ERMINE_TEST_POSTGRES names no PostgreSQL")?;
    let time = Duration::from_secs(seconds);
    let owner = connected(&url, "public").await?;
    println!("connections, events a transaction: inserted by hand/s, appended/s, times");
    for connections in CONNECTIONS {
        for batch in BATCHES {
            let schema = format!("ermine_appends_{}", std::process::id());
            let measured = async {
                owner
                    .batch_execute(&format!("CREATE SCHEMA {schema}"))
                    .await?;
                let by_hand = insert(&url, &schema, connections, batch, time).await?;
                let appended = append(&url, &schema, connections, batch, time).await?;
                let (by_hand, appended) = (by_hand.per_second(batch), appended.per_second(batch));
                println!(
                    "{connections}, {batch}: {by_hand:.0}, {appended:.0}, {:.2}",
                    by_hand / appended
                );
                Result::Ok(())
            }
            .await;
            owner
                .batch_execute(&format!("DROP SCHEMA IF EXISTS {schema} CASCADE"))
                .await?;
            measured?;
        }
    }
    Ok(())
}

async fn connected(url: &str, schema: &str) -> Result<Client> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
    // It ends with its client.
    tokio::spawn(connection);
    client
        .batch_execute(&format!("SET search_path = {schema}"))
        .await?;
    Ok(client)
}

/// Runs writers at once, and adds up what they did.
async fn together<F>(writers: impl IntoIterator<Item = F>) -> Result<Rate>
where
    F: Future<Output = Written> + Send + 'static,
{
    let begun = Instant::now();
    let mut set: JoinSet<_> = writers.into_iter().collect();
    let mut transactions = 0;
    while let Some(written) = set.join_next().await {
        transactions += written??;
    }
    Ok(Rate {
        transactions,
        time: begun.elapsed(),
    })
}

async fn insert(
    url: &str,
    schema: &str,
    connections: usize,
    batch: usize,
    time: Duration,
) -> Result<Rate> {
    let mut clients = Vec::new();
    connected(url, schema).await?.batch_execute(RAW).await?;
    for _ in 0..connections {
        let client = connected(url, schema).await?;
        let statement = client.prepare(INSERT).await?;
        clients.push((client, statement));
    }
    let until = Instant::now() + time;
    let writers = clients.into_iter().enumerate();
    together(
        writers.map(|(writer, (client, statement))| {
            insert_until(until, client, statement, writer, batch)
        }),
    )
    .await
}

async fn insert_until(
    until: Instant,
    client: Client,
    statement: Statement,
    writer: usize,
    batch: usize,
) -> Written {
    let mut done = 0;
    let rows = i64::try_from(batch).map_err(|error| error.to_string())?;
    while Instant::now() < until {
        let stream = format!("stream {writer} {}", done % STREAMS);
        let before = i64::try_from(done / STREAMS * batch).map_err(|error| error.to_string())?;
        let data = format!(r#"{{"text":"{TEXT}","number":{done}}}"#);
        client
            .execute(&statement, &[&stream, &before, &data, &rows])
            .await
            .map_err(|error| error.to_string())?;
        done += 1;
    }
    Ok(done)
}

async fn append(
    url: &str,
    schema: &str,
    connections: usize,
    batch: usize,
    time: Duration,
) -> Result<Rate> {
    let postgres = Postgres::url(url).schema(schema).connections(connections);
    let store = Store::builder(postgres).events::<Log>().open().await?;
    let store = Arc::new(store);
    // Each connection is made before the time begins.
    together((0..connections).map(|writer| {
        let store = Arc::clone(&store);
        append_until(Instant::now(), store, writer, batch)
    }))
    .await?;
    let until = Instant::now() + time;
    together((0..connections).map(|writer| {
        let store = Arc::clone(&store);
        append_until(until, store, writer, batch)
    }))
    .await
}

async fn append_until(
    until: Instant,
    store: Arc<Store<Postgres>>,
    writer: usize,
    batch: usize,
) -> Written {
    let mut done = 0;
    loop {
        let mut session = store.session_without_tenant();
        let stream = format!("stream {writer} {}", done % STREAMS);
        let event = Log::Written {
            text: TEXT.to_owned(),
            number: done,
        };
        session.append(stream.as_str(), vec![event; batch]);
        session.commit().await.map_err(|error| error.to_string())?;
        done += 1;
        if Instant::now() >= until {
            return Ok(done);
        }
    }
}
