use ermine_macros::Document;
use serde::{Deserialize, Serialize};

mod as_text {
    pub fn serialize<S: serde::Serializer>(year: &i64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(year)
    }
    pub fn deserialize<'de, D: serde::Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
        <i64 as serde::Deserialize>::deserialize(from)
    }
}

#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
struct Note {
    #[document(id)]
    id: String,
    #[document(index)]
    #[serde(with = "as_text")]
    year: i64,
    #[document(index)]
    #[serde(serialize_with = "as_text::serialize")]
    written: i64,
    #[document(index)]
    #[serde(deserialize_with = "as_text::deserialize")]
    read: i64,
}

fn main() {}
