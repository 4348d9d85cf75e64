use ermine_core::Embedding;
use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(name = "notes", name = "texts", soft_delete)]
#[document(crate = "ermine_core", soft_delete)]
struct Note {
    #[document(id)]
    id: String,
    #[document(index, index)]
    year: i64,
    #[document(text, weight = 2.0)]
    #[document(weight = 3.0)]
    title: String,
    #[document(vector(dimensions = 2, dimensions = 3))]
    embedding: Embedding,
}

fn main() {}
