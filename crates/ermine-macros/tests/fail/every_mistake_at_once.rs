use ermine_core::Embedding;
use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core", language = "klingon", soft_delete = false)]
struct Note {
    #[document(index)]
    size: (u32, u32),
    #[document(text, weight = -1)]
    title: String,
    #[document(text)]
    pages: u32,
    #[document(vector(metric = "cosinus", from = "titel, pages"))]
    embedding: Embedding,
}

fn main() {}
