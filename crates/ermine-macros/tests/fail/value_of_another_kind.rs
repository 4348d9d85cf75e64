use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core", soft_delete = true, name, language("english"))]
struct Note {
    #[document(id)]
    id: String,
    #[document(index = "yes")]
    year: i64,
}

fn main() {}
