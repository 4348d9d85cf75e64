use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Note {
    #[document(id)]
    id: f64,
}

fn main() {}
