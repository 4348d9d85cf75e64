use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Note {
    #[document(id)]
    id: String,
    #[document(index)]
    year: i64,
    #[document(index)]
    #[serde(rename = "when")]
    Year: i64,
}

fn main() {}
