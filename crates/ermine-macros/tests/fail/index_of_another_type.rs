use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Note {
    #[document(id)]
    id: String,
    #[document(index)]
    size: (u32, u32),
    #[document(index)]
    price: Option<f32>,
    #[document(index)]
    count: u128,
}

fn main() {}
