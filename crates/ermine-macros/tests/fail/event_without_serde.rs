use ermine_macros::Event;

#[derive(Event)]
#[event(crate = "ermine_core")]
enum NoteEvent {
    Written { text: String },
}

fn main() {}
