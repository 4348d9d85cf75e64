use ermine_macros::{Document, Fields};
use serde::{Deserialize, Serialize};

#[derive(Document, Serialize, Deserialize)]
struct Tuple(#[document(id)] String);

#[derive(Document, Serialize, Deserialize)]
struct Unit;

#[derive(Document, Serialize, Deserialize)]
enum Choice {
    One { #[document(id)] id: String },
}

#[derive(Document)]
union Either {
    id: i64,
    other: u64,
}

#[derive(Fields, Serialize, Deserialize)]
struct Pair(#[document(index)] String, String);

fn main() {}
