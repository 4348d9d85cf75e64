use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core", tenancy = "shared")]
struct Note {
    #[document(id)]
    id: String,
}

fn main() {}
