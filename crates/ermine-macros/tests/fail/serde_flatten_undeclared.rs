use std::collections::BTreeMap;

use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Note {
    #[document(id)]
    id: u64,
    #[serde(flatten)]
    rest: BTreeMap<String, String>,
}

fn main() {}
