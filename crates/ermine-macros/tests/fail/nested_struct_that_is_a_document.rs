use ermine_core::Embedding;
use ermine_macros::Fields;
use serde::{Deserialize, Serialize};

#[derive(Fields, Serialize, Deserialize)]
#[document(crate = "ermine_core", name = "addresses")]
struct Address {
    #[document(id)]
    id: String,
    #[document(text)]
    street: String,
    #[document(vector(dimensions = 2))]
    embedding: Embedding,
}

fn main() {}
