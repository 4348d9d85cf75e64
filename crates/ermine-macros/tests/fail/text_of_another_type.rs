use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Note {
    #[document(id)]
    id: String,
    #[document(text)]
    pages: u32,
    #[document(text)]
    lines: Vec<String>,
    #[document(index, text)]
    year: i64,
}

fn main() {}
