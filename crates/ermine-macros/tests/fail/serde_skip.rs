use ermine_core::Embedding;
use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Note {
    #[document(id)]
    id: String,
    #[document(index)]
    #[serde(skip)]
    year: i64,
    #[document(text)]
    #[serde(skip_serializing)]
    title: String,
    #[document(index)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    #[document(index)]
    #[serde(skip_deserializing)]
    place: Option<i64>,
    #[document(vector(dimensions = 2, from = "body"))]
    #[serde(skip)]
    embedding: Embedding,
    #[serde(skip)]
    body: String,
}

fn main() {}
