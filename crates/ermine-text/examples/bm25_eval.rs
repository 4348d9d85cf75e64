//! Ranks a judged collection and prints how good the ranking is.
//!
//! ```text
//! cargo run --release -p ermine-text --example bm25_eval -- FOLDER [none|english]
//! ```
//!
//! The folder is in BEIR form: `corpus.jsonl` with `_id`, `title` and `text`, `queries.jsonl` with `_id` and `text`, and
//! `qrels/test.tsv` with a head line and columns query, document, relevance. Title and text are two fields of weight 1.
//! Ties are broken by the document's place in the corpus, documents without a matching term are not ranked, and the
//! figures are means over the queries that have a relevant document. nDCG uses linear gain (the relevance itself).

use std::collections::HashMap;
use std::error::Error;
use std::fs::read_to_string;
use std::path::Path;

use ermine_text::{
    Analyzer, Language, ParsedQuery, Postings, Scorer, SegmentBuilder, Statistics, TermStatistics,
    TextStyle,
};
use serde_json::Value;

type Qrels = HashMap<String, HashMap<String, f64>>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments
        .next()
        .ok_or("give the folder of a collection in BEIR form")?;
    let folder = Path::new(&folder);
    let language: Language = arguments.next().as_deref().unwrap_or("english").parse()?;
    let analyzer = Analyzer::new(language);

    let corpus = lines(&folder.join("corpus.jsonl"))?;
    let mut builder = SegmentBuilder::new(2);
    for (doc, line) in (0i64..).zip(&corpus) {
        let fields = [text(line, "title"), text(line, "text")];
        builder.push(doc, &analyzer.analyze_document(&fields.map(Some)))?;
    }
    let segment = builder.finish();
    let statistics = Statistics {
        documents: segment.documents,
        total_len: segment.total_len,
    };

    let qrels = qrels(&folder.join("qrels").join("test.tsv"))?;
    let (mut ndcg, mut recall, mut queries) = (0.0, 0.0, 0u32);
    for line in lines(&folder.join("queries.jsonl"))? {
        let Some(relevant) = qrels.get(text(&line, "_id")) else {
            continue;
        };
        let query = ParsedQuery::parse(&analyzer, text(&line, "text"), TextStyle::Plain);
        let mut terms = Vec::new();
        let mut found: HashMap<i64, (u64, Vec<Vec<u32>>)> = HashMap::new();
        for (index, term) in query.terms.iter().enumerate() {
            let entry = segment.term(&term.term);
            terms.push(TermStatistics {
                df: entry.map_or(0, |entry| entry.df),
                count: term.count,
            });
            let mut postings = Postings::new(entry.map_or(&[], |entry| &entry.post), 2);
            while let Some(posting) = postings.advance()? {
                let (_, counts) = found
                    .entry(posting.doc)
                    .or_insert_with(|| (posting.len, vec![Vec::new(); query.terms.len()]));
                if let Some(counts) = counts.get_mut(index) {
                    *counts = posting.counts.to_vec();
                }
            }
        }
        let scorer = Scorer::new(statistics, &terms, &[1.0, 1.0])?;
        let mut ranked: Vec<(f64, i64)> = found
            .into_iter()
            .filter_map(|(doc, (len, counts))| Some((scorer.score(len, &counts)?, doc)))
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let gains: Vec<f64> = ranked
            .iter()
            .map(|&(_, doc)| {
                let line = usize::try_from(doc).ok().and_then(|doc| corpus.get(doc));
                let id = line.map(|line| text(line, "_id"));
                id.and_then(|id| relevant.get(id)).copied().unwrap_or(0.0)
            })
            .collect();
        ndcg += ndcg_at(10, &gains, relevant);
        recall += recall_at(100, &gains, relevant);
        queries += 1;
    }
    println!("{}", analyzer.identity());
    println!(
        "documents {}  queries {queries}  nDCG@10 {:.4}  recall@100 {:.4}",
        statistics.documents,
        ndcg / f64::from(queries),
        recall / f64::from(queries),
    );
    Ok(())
}

fn text<'a>(line: &'a Value, key: &str) -> &'a str {
    line.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn lines(path: &Path) -> Result<Vec<Value>, Box<dyn Error>> {
    let text = read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    Ok(lines.map(serde_json::from_str).collect::<Result<_, _>>()?)
}

/// The relevant documents of each query; judgements of 0 or less say that a document is not.
fn qrels(path: &Path) -> Result<Qrels, Box<dyn Error>> {
    let mut qrels = Qrels::new();
    for line in read_to_string(path)?.lines().skip(1) {
        let mut columns = line.split('\t');
        if let (Some(query), Some(document), Some(relevance)) =
            (columns.next(), columns.next(), columns.next())
        {
            let relevance: f64 = relevance.trim().parse()?;
            if relevance > 0.0 {
                let documents = qrels.entry(query.to_owned()).or_default();
                documents.insert(document.to_owned(), relevance);
            }
        }
    }
    Ok(qrels)
}

fn dcg(gains: impl IntoIterator<Item = f64>) -> f64 {
    let places = (1u32..).map(|place| f64::from(place + 1).log2());
    gains
        .into_iter()
        .zip(places)
        .map(|(gain, discount)| gain / discount)
        .sum()
}

fn ndcg_at(depth: usize, gains: &[f64], relevant: &HashMap<String, f64>) -> f64 {
    let mut ideal: Vec<f64> = relevant.values().copied().collect();
    ideal.sort_by(|a, b| b.total_cmp(a));
    dcg(gains.iter().copied().take(depth)) / dcg(ideal.into_iter().take(depth))
}

fn recall_at(depth: usize, gains: &[f64], relevant: &HashMap<String, f64>) -> f64 {
    let found = gains.iter().take(depth).filter(|gain| **gain > 0.0).count();
    found as f64 / relevant.len() as f64
}
