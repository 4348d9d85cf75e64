use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core", name = "My Notes")]
struct Note {
    #[document(id)]
    id: String,
}

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Überblick {
    #[document(id)]
    id: String,
}

fn main() {}
