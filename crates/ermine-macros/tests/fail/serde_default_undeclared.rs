use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Note {
    #[document(id)]
    id: String,
    #[document(index)]
    #[serde(default)]
    year: i64,
    #[document(text)]
    #[serde(default = "untitled")]
    title: Option<String>,
}

#[derive(Default, Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
#[serde(default)]
struct Draft {
    #[document(id)]
    id: String,
}

fn untitled() -> Option<String> {
    Some("untitled".into())
}

fn main() {}
