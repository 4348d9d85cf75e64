use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
#[serde(rename_all(serialize = "camelCase"))]
struct Note {
    #[document(id)]
    id: String,
    #[document(index)]
    #[serde(rename(serialize = "published", deserialize = "printed"))]
    year: i64,
    #[document(text)]
    full_title: String,
}

fn main() {}
