use ermine_core::Embedding;
use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Note {
    #[document(id)]
    id: String,
    #[document(vector(dimensions = 2, index = "ivfflat"))]
    title: Embedding,
    #[document(vector(dimensions = 2, m = 24, approximate))]
    body: Embedding,
    #[document(vector(dimensions = 2, index = "hnsw", m = 1, ef_construction = "many", approximate = true))]
    picture: Embedding,
}

fn main() {}
