use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Note<T> {
    #[document(id)]
    id: String,
    rest: T,
}

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Borrowed<'a> {
    #[document(id)]
    id: String,
    rest: &'a str,
}

fn main() {}
