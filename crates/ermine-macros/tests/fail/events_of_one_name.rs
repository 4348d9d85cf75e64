use ermine_macros::Event;
use serde::{Deserialize, Serialize};

#[derive(Event, Serialize, Deserialize)]
#[event(crate = "ermine_core", prefix = "note")]
enum NoteEvent {
    Written,
    #[event(name = "note.written")]
    Rewritten,
    #[event(name = "note.erased")]
    Gone,
    Erased,
}

fn main() {}
