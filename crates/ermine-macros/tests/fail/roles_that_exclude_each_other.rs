use ermine_core::Embedding;
use ermine_macros::{Document, Fields};
use serde::{Deserialize, Serialize};

#[derive(Fields, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Address {
    #[document(index)]
    city: String,
}

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Note {
    #[document(id, index, text)]
    id: String,
    #[document(index, vector(dimensions = 2))]
    embedding: Embedding,
    #[document(nested, index)]
    address: Address,
}

fn main() {}
