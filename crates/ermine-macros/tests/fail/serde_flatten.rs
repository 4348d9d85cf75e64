use ermine_macros::{Document, Fields};
use serde::{Deserialize, Serialize};

#[derive(Fields, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Address {
    #[document(index)]
    city: String,
}

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Note {
    #[document(id)]
    id: String,
    #[document(nested)]
    #[serde(flatten)]
    address: Address,
}

fn main() {}
