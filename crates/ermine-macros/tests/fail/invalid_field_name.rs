use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Note {
    #[document(id)]
    id: String,
    #[document(index)]
    #[serde(rename = "")]
    year: i64,
    #[document(index)]
    #[serde(rename = "tab\tstop")]
    place: i64,
    #[document(text)]
    a_name_that_is_longer_than_any_store_can_make_a_column_of: String,
}

fn main() {}
