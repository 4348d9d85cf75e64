//! Approximate search under filters, on PostgreSQL: recall, time, and the planner's own choice.

mod column;
mod filter;
mod plain;

use std::path::Path;
use std::time::Instant;

use ermine::{
    Collection, DynamicRecord, Embedding, Hnsw, IdType, Matches, Metric, Plan, Postgres, Reader,
    Schema, StaticModel, Store, Vector, VectorFieldSchema, VectorMatch,
};

use self::filter::Kept;
use self::plain::Plain;
use crate::Result;
use crate::random::Random;
use crate::timing::Times;

/// Each has a column of its own, which orders the documents by how far they are from it.
const QUERIES: usize = 20;

/// How many words of a gloss are a query; a gloss has to have more.
const WORDS: usize = 5;

const LIMIT: usize = 10;

/// How many documents a commit takes.
const BATCH: usize = 2_000;

/// How many of the nearest are deleted in the end.
const DELETED: usize = 1_000;

const TYPE: &str = "glosses";

pub(crate) async fn run(glosses: &Path) -> Result<()> {
    let url = crate::postgres::url()?;
    let text = std::fs::read_to_string(glosses)
        .map_err(|error| format!("{}: {error}", glosses.display()))?;
    let mut glosses: Vec<&str> = text.lines().map(str::trim).collect();
    glosses.retain(|gloss| !gloss.is_empty());
    let mut random = Random::new(1);
    random.shuffle(&mut glosses);
    let beginnings = glosses.iter().filter_map(|gloss| {
        let words: Vec<&str> = gloss.split_whitespace().take(WORDS + 1).collect();
        words
            .get(..WORDS)
            .filter(|_| words.len() > WORDS)
            .map(|words| words.join(" "))
    });
    let queries: Vec<String> = beginnings.step_by(97).take(QUERIES).collect();
    let queries: Vec<Vector> = embedded(&queries).into_iter().flatten().collect();
    if queries.len() < QUERIES {
        return Err("the file has too few glosses".into());
    }
    let schema = format!("ermine_approximate_{}", std::process::id());
    let plain = Plain::connect(&url, &schema).await?;
    let measured = measure(&url, &schema, &plain, &glosses, &queries, &mut random).await;
    crate::postgres::drop_schema(&url, &schema).await?;
    measured
}

fn embedded<T: AsRef<str>>(texts: &[T]) -> Vec<Option<Vector>> {
    let model = StaticModel::bundled();
    let embed = |text: &T| model.embed(text.as_ref()).map(Vector::from);
    texts.iter().map(embed).collect()
}

/// The address, with memory for a graph of all vectors while it is built.
fn with_room(url: &str) -> String {
    let separator = if url.contains('?') { '&' } else { '?' };
    format!("{url}{separator}options=-c%20maintenance_work_mem%3D1GB")
}

fn declared(field: VectorFieldSchema) -> Result<Schema> {
    let columns = column::names(QUERIES);
    let begun = Schema::builder(TYPE, "id", IdType::I64);
    let schema = columns.fold(begun, |schema, name| schema.column(name, column::TYPE));
    Ok(schema.vector_field(field).build()?)
}

async fn measure(
    url: &str,
    schema: &str,
    plain: &Plain,
    glosses: &[&str],
    queries: &[Vector],
    random: &mut Random,
) -> Result<()> {
    let vectors = embedded(glosses);
    let columns = column::values(&vectors, queries, random);
    let field = || VectorFieldSchema::new("embedding", 256, Metric::Cosine);
    let open = async |schema_of_type: Schema| {
        let postgres = Postgres::url(with_room(url))
            .schema(schema)
            .on_index_progress(|build| {
                eprint!("\r{} {}/{}    ", build.phase, build.done, build.total);
            });
        let store = Store::builder(postgres).schema(schema_of_type);
        store.open().await
    };

    let begun = Instant::now();
    let store = open(declared(field())?).await?;
    let kind = store.dynamic(TYPE)?;
    let mut session = store.session_without_tenant();
    for ((id, (gloss, vector)), values) in (0_i64..).zip(glosses.iter().zip(vectors)).zip(columns) {
        let embedding = vector.map_or(Embedding::Absent, Embedding::Present);
        let document = DynamicRecord::new(id)
            .with("gloss", *gloss)
            .with_vector("embedding", embedding);
        let with =
            |document: DynamicRecord, (name, value): (String, i64)| document.with(name, value);
        let named = column::names(QUERIES).zip(values);
        session.store_in(&kind, &named.fold(document, with));
        if session.pending() >= BATCH {
            session.commit().await?;
        }
    }
    session.commit().await?;
    println!(
        "{} documents in {:.0} s",
        glosses.len(),
        begun.elapsed().as_secs_f64()
    );
    drop((session, kind, store));

    let begun = Instant::now();
    let hnsw = Hnsw::default();
    let store = open(declared(field().indexed(hnsw))?).await?;
    println!(
        "\rindex (m = {}, ef_construction = {}) in {:.0} s",
        hnsw.m,
        hnsw.ef_construction,
        begun.elapsed().as_secs_f64()
    );
    plain.analyze().await?;

    let kind = store.dynamic(TYPE)?;
    let reader = store.reader_without_tenant();
    println!(
        "{:<26} {:>5} {:>6} {:>9} {:>9} {:>9}  plan; the planner's rows and recall",
        "kept", "rows", "recall", "median ms", "exact ms", "planner's"
    );
    for kept in filter::all(glosses.len()) {
        let searches = Searches {
            reader: &reader,
            kind: &kind,
            kept,
        };
        compare(searches, plain, queries).await?;
    }
    after_deletes(&store, &reader, queries).await
}

type Found = Matches<VectorMatch<DynamicRecord>>;

struct Searches<'a> {
    reader: &'a Reader<Postgres>,
    kind: &'a Collection<DynamicRecord>,
    kept: Kept,
}

impl Searches<'_> {
    async fn run(&self, at: usize, query: &Vector, exact: bool) -> Result<Found> {
        let mut search = self
            .reader
            .search_in(self.kind)
            .nearest_to(query.clone())
            .limit(LIMIT);
        if let Some(filter) = self.kept.filter(at) {
            search = search.filter(filter);
        }
        Ok(if exact {
            search.exact().await?
        } else {
            search.approximate().await?
        })
    }
}

fn ids(found: &Found) -> Vec<String> {
    found
        .documents()
        .map(|document| document.id.to_string())
        .collect()
}

fn shared(found: &[String], truth: &[String]) -> usize {
    truth.iter().filter(|id| found.contains(id)).count()
}

async fn compare(searches: Searches<'_>, plain: &Plain, queries: &[Vector]) -> Result<()> {
    let kept = searches.kept;
    let mut times = [Times::default(), Times::default(), Times::default()];
    let (mut fewest, mut right, mut wanted) = (usize::MAX, 0, 0);
    let (mut planners_fewest, mut planners_right) = (usize::MAX, 0);
    let mut plans: Vec<(Plan, usize)> = Vec::new();
    // Once to warm up, then what counts, one way after the other for each query.
    for (at, query) in queries.iter().enumerate() {
        searches.run(at, query, false).await?;
        plain.nearest(query, kept.sql(at).as_deref(), LIMIT).await?;
    }
    for (at, query) in queries.iter().enumerate() {
        let begun = Instant::now();
        let found = searches.run(at, query, false).await?;
        let ours = begun.elapsed();
        let (planners, theirs) = plain.nearest(query, kept.sql(at).as_deref(), LIMIT).await?;
        let begun = Instant::now();
        let truth = ids(&searches.run(at, query, true).await?);
        let exact = begun.elapsed();
        for (times, time) in times.iter_mut().zip([ours, exact, theirs]) {
            times.add(time);
        }
        fewest = fewest.min(found.len());
        right += shared(&ids(&found), &truth);
        wanted += truth.len();
        planners_fewest = planners_fewest.min(planners.len());
        planners_right += shared(&planners, &truth);
        let plan = found.outcome().legs.first();
        let plan = plan.map_or(Plan::Exact, |leg| leg.plan);
        match plans.iter_mut().find(|(other, _)| *other == plan) {
            Some((_, count)) => *count += 1,
            None => plans.push((plan, 1)),
        }
    }
    let recall = |right: usize| right as f64 / wanted.max(1) as f64;
    let [ours, exact, theirs] = times.map(|times| times.percentile(50).as_secs_f64() * 1e3);
    println!(
        "{:<26} {fewest:>5} {:>6.3} {ours:>9.2} {exact:>9.2} {theirs:>9.2}  {plans:?}; {planners_fewest}, {:.3}",
        kept.to_string(),
        recall(right),
        recall(planners_right),
    );
    Ok(())
}

/// Deletes what is nearest to a query, and searches among what is left, dead rows and all.
async fn after_deletes(
    store: &Store<Postgres>,
    reader: &Reader<Postgres>,
    queries: &[Vector],
) -> Result<()> {
    let kind = store.dynamic(TYPE)?;
    let query = queries.first().ok_or("there is no query")?;
    let nearest = reader
        .search_in(&kind)
        .nearest_to(query.clone())
        .limit(DELETED)
        .await?;
    let mut session = store.session_without_tenant();
    for document in nearest.documents() {
        session.delete_in(&kind, document.id.clone());
    }
    session.commit().await?;
    for limit in [LIMIT, 100] {
        let search = || {
            reader
                .search_in(&kind)
                .nearest_to(query.clone())
                .limit(limit)
        };
        let begun = Instant::now();
        let found = search().approximate().await?;
        let time = begun.elapsed();
        let truth = search().exact().await?;
        println!(
            "the nearest {DELETED} deleted, no VACUUM, limit {limit}: {} rows, {} of the exact ones, {:.2} ms, {:?}",
            found.len(),
            shared(&ids(&found), &ids(&truth)),
            time.as_secs_f64() * 1e3,
            found.outcome().legs.first().map(|leg| leg.plan)
        );
    }
    Ok(())
}
