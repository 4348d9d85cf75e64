use ermine_core::Embedding;
use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Note {
    #[document(id)]
    id: String,
    #[document(text)]
    #[serde(rename = "heading")]
    title: String,
    #[document(vector(dimensions = 2, from = "title, heading"))]
    embedding: Embedding,
}

fn main() {}
