use ermine_macros::Event;
use serde::{Deserialize, Serialize};

#[derive(Event, Serialize, Deserialize)]
#[event(crate = "ermine_core")]
enum NoteEvent {
    Written,
}

impl NoteEvent {
    const WRITTEN: u32 = 1;
}

fn main() {}
