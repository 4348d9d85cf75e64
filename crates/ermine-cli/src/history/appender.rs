//! Appending a history, of which a part may be stored already.

use std::collections::{BTreeMap, HashMap};

use ermine::{EventBuilder, Session, Store};
use ermine_core::{Engine, ErrorKind, Event, StoredEvent, Timestamp, content_hash};
use serde_json::Value as Json;

use super::Change;
use crate::failure::Failure;
use crate::wait::wait;

/// How many events are written at once at most.
const BATCH: usize = 64;

/// An event as a history tells it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Told {
    pub(crate) stream: String,
    /// Its place in the stream, from 1.
    pub(crate) version: u64,
    pub(crate) change: Change,
    pub(crate) at: Timestamp,
    pub(crate) headers: BTreeMap<String, String>,
}

/// What became of the events.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Appended {
    pub(crate) new: usize,
    pub(crate) known: usize,
}

impl Appended {
    pub(crate) fn events(self) -> usize {
        self.new + self.known
    }
}

/// Appends what is not stored yet, and compares the rest with what is.
pub(crate) struct Appender {
    session: Session<Engine>,
    streams: HashMap<String, Stream>,
    pending: usize,
    counts: Appended,
}

/// A stream that was met.
#[derive(Default)]
struct Stream {
    /// The version of its last event, with those that are not written yet.
    version: u64,
    /// What its stored events say, hashed, by version.
    stored: Vec<String>,
}

impl Appender {
    pub(crate) fn new(store: &Store<Engine>) -> Self {
        Self {
            session: store.session_without_tenant(),
            streams: HashMap::new(),
            pending: 0,
            counts: Appended::default(),
        }
    }

    pub(crate) fn counts(&self) -> Appended {
        self.counts
    }

    /// Takes the next event of a stream; tells whether everything taken is written.
    pub(crate) fn add(&mut self, told: Told) -> Result<bool, Failure> {
        let Told {
            stream: name,
            version,
            change,
            at,
            headers,
        } = told;
        if !self.streams.contains_key(&name) {
            let stream = self.met(&name)?;
            self.streams.insert(name.clone(), stream);
        }
        let stream = self.streams.entry(name.clone()).or_default();
        if version <= stream.version {
            let stored = usize::try_from(version - 1).ok();
            let stored = stored.and_then(|at| stream.stored.get(at));
            let said = said(change.event_type(), &change.to_data()?, at);
            if stored.is_some_and(|stored| *stored != said) {
                return Err(Failure::new(format!(
                    "event {version} of the stream `{name}` is stored and says something else; events are never changed, so import this history into another store with --store"
                )));
            }
            self.counts.known += 1;
            return Ok(self.pending == 0);
        }
        if version > stream.version + 1 {
            let last = stream.version;
            let has = match last {
                0 => "has no events".to_owned(),
                last => format!("is at version {last}"),
            };
            return Err(Failure::new(format!(
                "the stream `{name}` {has} and its next event would be version {}, not {version}; what lies between is missing",
                last + 1
            )));
        }
        let expected = stream.version;
        stream.version = version;
        let mut event = EventBuilder::of(change).at(at);
        for (header, value) in headers {
            event = event.header(header, value);
        }
        self.session
            .append_expecting(name.as_str(), expected, [event]);
        self.counts.new += 1;
        self.pending += 1;
        if self.pending >= BATCH {
            self.flush()?;
        }
        Ok(self.pending == 0)
    }

    /// Writes what is not written yet.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.pending = 0;
        wait(self.session.commit()).map_err(|error| match error.kind() {
            ErrorKind::Conflict => {
                Failure::from(error).with("somebody else appends to it; run the import again")
            }
            _ => error.into(),
        })?;
        Ok(())
    }

    fn met(&self, name: &str) -> Result<Stream, Failure> {
        let mut stream = Stream::default();
        let mut pages = self.session.stream(name).pages();
        while let Some(page) = wait(pages.next())? {
            for StoredEvent { version, event, .. } in page {
                stream.version = version;
                stream
                    .stored
                    .push(said(&event.event_type, &event.data, event.at));
            }
        }
        Ok(stream)
    }
}

/// What an event says, whatever the order of its members.
fn said(event_type: &str, data: &str, at: Timestamp) -> String {
    let data = serde_json::from_str::<Json>(data).map(|data| data.to_string());
    let data = data.as_deref().unwrap_or_default();
    content_hash(&format!("{event_type}\n{at}\n{data}"))
}
