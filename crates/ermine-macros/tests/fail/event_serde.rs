use ermine_macros::Event;
use serde::{Deserialize, Serialize};

#[derive(Event, Serialize, Deserialize)]
#[event(crate = "ermine_core")]
#[serde(tag = "type", content = "data")]
enum Tagged {
    Written { text: String },
}

#[derive(Event, Serialize, Deserialize)]
#[event(crate = "ermine_core")]
#[serde(untagged)]
enum Untagged {
    Written { text: String },
}

#[derive(Clone, Event, Serialize, Deserialize)]
#[event(crate = "ermine_core")]
#[serde(from = "String", into = "String")]
enum Converted {
    Said(String),
}

impl From<String> for Converted {
    fn from(text: String) -> Self {
        Self::Said(text)
    }
}

impl From<Converted> for String {
    fn from(Converted::Said(text): Converted) -> Self {
        text
    }
}

#[derive(Event, Serialize, Deserialize)]
#[event(crate = "ermine_core")]
enum Partly {
    #[serde(skip)]
    Never,
    #[serde(skip_serializing)]
    NotWritten,
    #[serde(skip_deserializing)]
    NotRead,
    Written,
    #[serde(untagged)]
    Anything(i64),
}

#[derive(Event, Serialize, Deserialize)]
#[event(crate = "ermine_core")]
#[serde(tag = "type")]
struct Named {
    text: String,
}

fn main() {}
