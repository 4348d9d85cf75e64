use ermine_core::Embedding;
use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Note {
    #[document(id)]
    id: String,
    #[document(vector)]
    embedding: Embedding,
    #[document(vector(metric = "l1"))]
    picture: Embedding,
}

fn main() {}
