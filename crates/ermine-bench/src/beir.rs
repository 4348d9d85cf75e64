//! Judged collections in BEIR form.

use std::collections::HashMap;
use std::fs::read_to_string;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::Result;
use crate::passage::Passage;

/// Documents, queries, and which documents answer which query.
pub(crate) struct Collection {
    pub(crate) passages: Vec<Passage>,
    queries: Vec<Line>,
    relevant: HashMap<String, HashMap<String, f64>>,
}

/// A query with the relevance of the documents that answer it; never empty.
pub(crate) struct Judged {
    pub(crate) text: String,
    pub(crate) relevant: HashMap<String, f64>,
}

#[derive(Deserialize)]
struct Line {
    #[serde(rename = "_id")]
    id: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    text: String,
}

impl Collection {
    /// Reads `corpus.jsonl`, `queries.jsonl` and `qrels/test.tsv` of `folder`.
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let corpus: Vec<Line> = lines(&folder.join("corpus.jsonl"))?;
        Ok(Self {
            passages: corpus
                .into_iter()
                .map(|line| Passage::new(line.id, line.title, line.text))
                .collect(),
            queries: lines(&folder.join("queries.jsonl"))?,
            relevant: judgements(&folder.join("qrels").join("test.tsv"))?,
        })
    }

    /// The queries that some document answers.
    pub(crate) fn judged(&self) -> Vec<Judged> {
        let judged = |query: &Line| {
            Some(Judged {
                text: query.text.clone(),
                relevant: self.relevant.get(&query.id)?.clone(),
            })
        };
        self.queries.iter().filter_map(judged).collect()
    }
}

fn read(path: &Path) -> Result<String> {
    Ok(read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?)
}

fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    let text = read(path)?;
    let lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            serde_json::from_str(line)
                .map_err(|error| format!("{}, line {number}: {error}", path.display()).into())
        })
        .collect()
}

/// Query, document and relevance a line, below a head line; relevance of 0 or less says "no answer".
fn judgements(path: &Path) -> Result<HashMap<String, HashMap<String, f64>>> {
    let mut relevant: HashMap<String, HashMap<String, f64>> = HashMap::new();
    for (number, line) in (1..).zip(read(path)?.lines()).skip(1) {
        let columns: Vec<&str> = line.split('\t').map(str::trim).collect();
        let &[query, document, relevance] = columns.as_slice() else {
            return Err(format!("{}, line {number}: not three columns", path.display()).into());
        };
        let relevance: f64 = relevance.parse()?;
        if relevance > 0.0 {
            let documents = relevant.entry(query.to_owned()).or_default();
            documents.insert(document.to_owned(), relevance);
        }
    }
    Ok(relevant)
}
