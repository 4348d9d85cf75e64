use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Note {
    #[document(id)]
    id: String,
    #[document(index)]
    year: i64,
    #[document(text)]
    #[serde(rename = "Year")]
    age: String,
    #[document(index)]
    #[serde(rename = "id")]
    number: i64,
}

fn main() {}
