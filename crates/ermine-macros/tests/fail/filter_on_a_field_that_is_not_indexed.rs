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

fn main() {
    let _ = Memory::TITLE.starts_with("Pool");
}
