use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Note {
    #[document(id)]
    id: String,
    #[document(text, weight = -1.0)]
    negative: String,
    #[document(text, weight = f64::NAN)]
    not_a_number: String,
    #[document(text, weight = 1e999)]
    infinite: String,
    #[document(text, weight = "3")]
    text: String,
    #[document(index, weight = 2.0)]
    not_text: String,
}

fn main() {}
