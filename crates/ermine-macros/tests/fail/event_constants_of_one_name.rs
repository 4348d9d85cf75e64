use ermine_macros::Event;
use serde::{Deserialize, Serialize};

#[derive(Event, Serialize, Deserialize)]
#[event(crate = "ermine_core")]
enum Fetched {
    HTTPGet,
    #[event(name = "http_get_again")]
    HttpGet,
}

#[derive(Event, Serialize, Deserialize)]
#[event(crate = "ermine_core")]
enum Grade {
    A,
    Failed,
    FAILED,
}

fn main() {}
