use ermine_core::Embedding;
use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "not a path")]
struct Note {
    #[document(id)]
    id: String,
    #[document]
    bare: i64,
    #[document(index text)]
    title: String,
    #[document(vector(dimensions 2))]
    embedding: Embedding,
}

fn main() {}
