use ermine_macros::Event;
use serde::{Deserialize, Serialize};

#[derive(Event, Serialize, Deserialize)]
#[event(crate = "ermine_core")]
struct Written<T> {
    rest: T,
}

#[derive(Event, Serialize)]
#[event(crate = "ermine_core")]
enum Happened<'a> {
    Said(&'a str),
}

fn main() {}
