use ermine_core::Embedding;
use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Note {
    #[document(id)]
    id: String,
    #[document(index, default)]
    year: i64,
    #[document(default)]
    #[serde(default)]
    undeclared: i64,
    #[document(vector(dimensions = 2), default)]
    #[serde(default)]
    embedding: Embedding,
}

fn main() {}
