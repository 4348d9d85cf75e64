use ermine_macros::Event;
use serde::{Deserialize, Serialize};

#[derive(Event, Serialize, Deserialize)]
enum Never {}

#[derive(Event)]
union Either {
    one: i64,
    other: u64,
}

fn main() {}
