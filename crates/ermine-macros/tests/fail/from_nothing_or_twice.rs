use ermine_core::Embedding;
use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Note {
    #[document(id)]
    id: String,
    #[document(text)]
    title: String,
    #[document(vector(dimensions = 2, from = ""))]
    nothing: Embedding,
    #[document(vector(dimensions = 2, from = "title, title"))]
    twice: Embedding,
    #[document(vector(dimensions = 2, from = title))]
    bare: Embedding,
}

fn main() {}
