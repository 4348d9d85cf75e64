use ermine_macros::{Document, Fields};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Address {
    city: String,
}

#[derive(Fields, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Place {
    #[document(index)]
    city: String,
}

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Note {
    #[document(id)]
    id: String,
    #[document(nested)]
    address: Address,
    #[document(nested)]
    places: Vec<Place>,
}

fn main() {}
