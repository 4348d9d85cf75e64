use ermine_core::Filter;
use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Memory {
    #[document(id)]
    id: String,
    #[document(index)]
    scope: String,
    #[document(index)]
    tags: Vec<String>,
    #[document(text)]
    title: String,
}

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Note {
    #[document(id)]
    id: String,
    #[document(index)]
    year: i64,
}

fn main() {
    let _: Filter<Memory> = Note::YEAR.eq(1960);
    let _ = Memory::SCOPE.eq("project-a") & Note::YEAR.ge(1960);
}
