use ermine_macros::Event;
use serde::{Deserialize, Serialize};

#[derive(Event, Serialize, Deserialize)]
#[event(crate = "ermine_core", name = "ermine.masked")]
struct Masked;

#[derive(Event, Serialize, Deserialize)]
#[event(crate = "ermine_core", prefix = "")]
enum Happened {
    #[event(name = "it happened")]
    It,
    #[event(name = 5)]
    Number,
    Again,
}

#[derive(Event, Serialize, Deserialize)]
#[event(crate = "ermine_core")]
enum Ermine {
    Moulted,
}

#[derive(Event, Serialize, Deserialize)]
#[event(crate = "ermine_core", prefix = "a")]
enum Long {
    ThisVariantIsNamedAtSuchLengthThatNobodyWouldEverWantToReadItInATableOfEventsNorTypeItIntoAFilterByHand,
}

fn main() {}
