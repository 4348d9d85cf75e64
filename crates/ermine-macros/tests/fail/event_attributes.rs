use ermine_macros::Event;
use serde::{Deserialize, Serialize};

#[derive(Event, Serialize, Deserialize)]
#[event(crate = "ermine_core", name = "note")]
enum OfTheEnum {
    #[event(prefix = "note", rename = "x")]
    Written,
    #[event]
    Erased,
    #[event(name = "a", name = "b")]
    Twice,
}

#[derive(Event, Serialize, Deserialize)]
#[event(crate = "ermine_core", prefix = "note", version = 2)]
struct OfTheStruct;

#[derive(Event, Serialize, Deserialize)]
#[event(crate = "not a path")]
struct Elsewhere;

#[derive(Event, Serialize, Deserialize)]
#[event(crate = "ermine_core", name "x")]
struct Unparsed;

fn main() {}
