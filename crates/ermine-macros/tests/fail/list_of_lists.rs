use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Note {
    #[document(id)]
    id: String,
    #[document(index)]
    grid: Vec<Vec<String>>,
    #[document(index)]
    sparse: Option<Vec<Option<Vec<i64>>>>,
}

fn main() {}
