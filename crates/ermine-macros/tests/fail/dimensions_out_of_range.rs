use ermine_core::Embedding;
use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Note {
    #[document(id)]
    id: String,
    #[document(vector(dimensions = 0))]
    none: Embedding,
    #[document(vector(dimensions = 16_001))]
    many: Embedding,
    #[document(vector(dimensions = "256"))]
    text: Embedding,
}

fn main() {}
