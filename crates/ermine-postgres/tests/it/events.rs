//! Events beside writers that are slow, fail, or lose their connection, and daemons that are killed.
//!
//! `ERMINE_SOAK_SECONDS` says for how long; `cargo xtask soak events` sets it.

mod cut;
mod daemons;
mod format;
mod load;
mod order;
mod wake;

use std::collections::BTreeMap;

use ermine_core::{Append, Expected, NewEvent, Op, StreamId, Timestamp};

/// For how long the soak goes on, where this is one.
fn soak_seconds() -> Option<u64> {
    let told = std::env::var("ERMINE_SOAK_SECONDS").ok()?;
    told.parse().ok()
}

fn stream(name: u64) -> StreamId {
    StreamId::text(format!("stream {name}")).unwrap()
}

fn events(count: u64) -> Vec<NewEvent> {
    (0..count)
        .map(|_| NewEvent {
            id: ermine_core::new_id(),
            event_type: "happened".to_owned(),
            at: Timestamp::now(),
            correlation: None,
            causation: None,
            headers: BTreeMap::new(),
            data: "null".to_owned(),
        })
        .collect()
}

fn append(stream: StreamId, expected: Expected, events: Vec<NewEvent>) -> Op {
    Op::Append(Append {
        tenant: None,
        stream,
        expected,
        events,
    })
}
