//! How good the rankings of a judged collection are, and how long they take.

use std::path::Path;
use std::time::Instant;

use ermine::{Backend, HybridSearch, Postgres, Sqlite, TextSearch, VectorSearch};

use crate::beir::{Collection, Judged};
use crate::mode::Mode;
use crate::passage::{import, open};
use crate::relevance::{ndcg, recall};
use crate::timing::Times;
use crate::{Result, memory};

/// Deep enough for recall@100.
const LIMIT: usize = 100;

/// The ids found for each query, best first.
type Rankings = Vec<Vec<String>>;

/// Measures a collection on SQLite, and on PostgreSQL too where its URL is given: then
/// it is an error that any ranking of the two differs.
pub(crate) async fn run(folder: &Path, postgres: Option<&str>) -> Result<()> {
    let collection = Collection::read(folder)?;
    let queries = collection.judged();
    println!(
        "{}: {} documents, {} judged queries",
        folder.display(),
        collection.passages.len(),
        queries.len()
    );
    let directory = tempfile::tempdir()?;
    let file = Sqlite::file(directory.path().join("eval.db"));
    let on_sqlite = measure("SQLite", file, &collection, &queries).await?;
    if let Some(url) = postgres {
        let schema = format!("ermine_eval_{}", std::process::id());
        let backend = Postgres::url(url).schema(&schema);
        let on_postgres = measure("PostgreSQL", backend, &collection, &queries).await;
        crate::postgres::drop_schema(url, &schema).await?;
        compare(&on_sqlite, &on_postgres?)?;
    }
    memory::print();
    Ok(())
}

async fn measure<B: Backend>(
    name: &str,
    backend: B,
    collection: &Collection,
    queries: &[Judged],
) -> Result<Vec<Rankings>>
where
    B::Store: TextSearch + VectorSearch + HybridSearch,
{
    println!("{name}");
    let store = open(backend).await?;
    import(&store, collection.passages.iter().cloned()).await?;
    let reader = store.reader_without_tenant();
    let mut of_modes = Vec::new();
    for mode in Mode::ALL {
        let mut times = Times::default();
        let (mut ndcg_sum, mut recall_sum) = (0.0, 0.0);
        let mut rankings = Vec::new();
        for query in queries {
            let begun = Instant::now();
            let ranking = mode.search(&reader, &query.text, LIMIT).await?;
            times.add(begun.elapsed());
            let gains: Vec<f64> = ranking
                .iter()
                .map(|id| query.relevant.get(id).copied().unwrap_or(0.0))
                .collect();
            ndcg_sum += ndcg(10, &gains, query.relevant.values());
            recall_sum += recall(100, &gains, query.relevant.len());
            rankings.push(ranking);
        }
        let mean = |sum: f64| sum / queries.len() as f64;
        println!(
            "{:<7} nDCG@10 {:.4}  recall@100 {:.4}  {times}",
            mode.name(),
            mean(ndcg_sum),
            mean(recall_sum)
        );
        of_modes.push(rankings);
    }
    Ok(of_modes)
}

fn compare(sqlite: &[Rankings], postgres: &[Rankings]) -> Result<()> {
    for ((mode, sqlite), postgres) in Mode::ALL.iter().zip(sqlite).zip(postgres) {
        let same = sqlite.iter().zip(postgres).filter(|(a, b)| a == b).count();
        println!(
            "{:<7} {same} of {} rankings are the same on both",
            mode.name(),
            sqlite.len()
        );
        if same < sqlite.len() {
            return Err(format!("the {} rankings differ", mode.name()).into());
        }
    }
    Ok(())
}
