//! How good the rankings of a judged collection are, and how long they take.

use std::path::Path;
use std::time::Instant;

use crate::beir::Collection;
use crate::mode::Mode;
use crate::passage::{import, open};
use crate::relevance::{ndcg, recall};
use crate::timing::Times;
use crate::{Result, memory};

/// Deep enough for recall@100.
const LIMIT: usize = 100;

pub(crate) async fn run(folder: &Path) -> Result<()> {
    let collection = Collection::read(folder)?;
    let queries = collection.judged();
    println!(
        "{}: {} documents, {} judged queries",
        folder.display(),
        collection.passages.len(),
        queries.len()
    );
    let directory = tempfile::tempdir()?;
    let store = open(&directory.path().join("eval.db")).await?;
    import(&store, collection.passages.iter().cloned()).await?;
    let reader = store.reader_without_tenant();
    for mode in Mode::ALL {
        let mut times = Times::default();
        let (mut ndcg_sum, mut recall_sum) = (0.0, 0.0);
        for query in &queries {
            let begun = Instant::now();
            let ranking = mode.search(&reader, &query.text, LIMIT).await?;
            times.add(begun.elapsed());
            let gains: Vec<f64> = ranking
                .iter()
                .map(|id| query.relevant.get(id).copied().unwrap_or(0.0))
                .collect();
            ndcg_sum += ndcg(10, &gains, query.relevant.values());
            recall_sum += recall(100, &gains, query.relevant.len());
        }
        let mean = |sum: f64| sum / queries.len() as f64;
        println!(
            "{:<7} nDCG@10 {:.4}  recall@100 {:.4}  {times}",
            mode.name(),
            mean(ndcg_sum),
            mean(recall_sum)
        );
    }
    memory::print();
    Ok(())
}
