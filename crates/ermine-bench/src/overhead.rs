//! What the library costs beside SQL written by hand: nearest and hybrid on PostgreSQL.

mod gloss;
mod hybrid;
mod nearest;
mod plain;

use std::path::Path;
use std::time::{Duration, Instant};

use ermine::{Postgres, StaticModel, Store, Vector};
use tokio_postgres::NoTls;

use self::gloss::Gloss;
use self::nearest::Of;
use self::plain::{Plain, Variant};
use crate::Result;
use crate::timing::Times;

/// How many glosses are queries, and not stored.
const QUERIES: usize = 100;

const LIMIT: usize = 10;

/// How much longer than the fastest SQL the library may take, beside a round trip.
const FACTOR: f64 = 1.25;

/// A text to search with, and its vector, which is made before anything is timed.
struct Query {
    text: String,
    vector: Vector,
}

pub(crate) async fn run(glosses: &Path, documents: usize) -> Result<()> {
    let url = crate::postgres::url()?;
    let text = std::fs::read_to_string(glosses)
        .map_err(|error| format!("{}: {error}", glosses.display()))?;
    let glosses = gloss::in_random_order(&text);
    let (queries, stored) = glosses
        .split_at_checked(QUERIES)
        .ok_or("the file has too few glosses")?;
    let stored = stored.get(..documents).unwrap_or(stored);

    let (client, connection) = tokio_postgres::connect(&url, NoTls).await?;
    let connection = tokio::spawn(connection);
    let schema = format!("ermine_overhead_{}", std::process::id());
    let measured = async {
        let store = Store::builder(Postgres::url(&url).schema(&schema))
            .document::<Gloss>()
            .embeddings(StaticModel::bundled())
            .open()
            .await?;
        gloss::import(&store, stored).await?;
        let plain = Plain::new(&client, &schema).await?;
        let model = StaticModel::bundled();
        let queries: Vec<Query> = queries
            .iter()
            .filter_map(|text| {
                Some(Query {
                    text: (*text).to_owned(),
                    vector: model.embed(text)?.into(),
                })
            })
            .collect();
        println!(
            "{} documents, {} queries, limit {LIMIT}",
            stored.len(),
            queries.len()
        );
        let round_trip = plain.round_trip().await?;
        println!("round trip: {:.3} ms", round_trip.as_secs_f64() * 1e3);
        let reader = store.reader_without_tenant();
        for (name, of) in [("nearest", Of::All), ("nearest of half", Of::Half)] {
            compare(
                name,
                round_trip,
                &queries,
                &plain,
                &nearest::variants(&plain, of),
                async |query| nearest::by_the_library(&reader, query, of).await,
            )
            .await?;
        }
        compare(
            "hybrid",
            round_trip,
            &queries,
            &plain,
            &hybrid::variants(&plain),
            async |query| hybrid::by_the_library(&reader, query).await,
        )
        .await
    }
    .await;
    drop(client);
    // It ends with its client.
    connection.await??;
    crate::postgres::drop_schema(&url, &schema).await?;
    measured
}

/// Times the library and each variant on every query, one after the other, so that
/// what else the machine does meets all of them alike.
async fn compare(
    what: &str,
    round_trip: Duration,
    queries: &[Query],
    plain: &Plain<'_>,
    variants: &[Variant],
    library: impl AsyncFn(&Query) -> Result<usize>,
) -> Result<()> {
    let prepared = plain.prepare(variants).await?;
    let mut own = Times::default();
    let mut others: Vec<Times> = variants.iter().map(|_| Times::default()).collect();
    // The first query warms caches, and is not counted.
    for (number, query) in queries.iter().take(1).chain(queries).enumerate() {
        let begun = Instant::now();
        let found = library(query).await?;
        if number > 0 {
            own.add(begun.elapsed());
        }
        for (statement, times) in prepared.iter().zip(&mut others) {
            let begun = Instant::now();
            let rows = plain.run(statement, query).await?;
            if number > 0 {
                times.add(begun.elapsed());
            }
            if rows != found {
                return Err(format!("{what}: {found} by the library, {rows} by SQL").into());
            }
        }
    }
    println!("{what}: library {own}");
    for (variant, times) in variants.iter().zip(&others) {
        println!("  SQL, {}: {times}", variant.name);
    }
    let best = others.iter().map(|times| times.percentile(50)).min();
    let best = best.unwrap_or_default().as_secs_f64();
    let library = own.percentile(50).as_secs_f64();
    let allowed = best * FACTOR + round_trip.as_secs_f64();
    println!(
        "  {:.2} times the fastest SQL; {:.2} ms allowed: {}",
        library / best,
        allowed * 1e3,
        if library <= allowed { "met" } else { "not met" }
    );
    Ok(())
}
