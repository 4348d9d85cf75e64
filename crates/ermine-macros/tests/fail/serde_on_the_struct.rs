use ermine_macros::Document;
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
#[serde(tag = "kind")]
struct Tagged {
    #[document(id)]
    id: String,
}

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
#[serde(transparent)]
struct Bare {
    #[document(id)]
    id: String,
}

#[derive(Clone, Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
#[serde(from = "String", into = "String")]
struct Converted {
    #[document(id)]
    id: String,
}

impl From<String> for Converted {
    fn from(id: String) -> Self {
        Self { id }
    }
}

impl From<Converted> for String {
    fn from(converted: Converted) -> Self {
        converted.id
    }
}

fn main() {}
