use ermine_core::Embedding;
use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core", table = "notes")]
struct Note {
    #[document(id)]
    id: String,
    #[document(indexed)]
    year: i64,
    #[document(metric = "cosine")]
    embedding: Embedding,
    #[document(vector(dimensions = 2, distance = "cosine"))]
    picture: Embedding,
}

fn main() {}
