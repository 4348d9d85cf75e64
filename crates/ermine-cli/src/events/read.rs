//! `ermine events read`.

use std::io::{Write, stdout};

use ermine::{Reader, Store};
use ermine_core::{Engine, Position, StoredEvent, StreamId};
use serde_json::{Map, Value as Json, json};
use uuid::Uuid;

use crate::arguments::Read;
use crate::failure::{Failure, Finished};
use crate::wait::wait;
use crate::{history, opening};

/// How many events are read at once.
const PAGE: usize = 500;

/// Writes events, a line each.
pub(super) fn run(arguments: &Read) -> Result<Finished, Failure> {
    let connected = opening::existing(&arguments.store.address()?)?;
    history::require_events(&connected.engine)?;
    let store = wait(Store::builder(connected.engine).open())?;
    let reader = match &arguments.tenant {
        Some(tenant) => store.reader(tenant),
        None => store.reader_without_tenant(),
    };
    let mut out = Lines {
        out: &mut stdout().lock(),
        left: arguments.limit.unwrap_or(usize::MAX),
    };
    match &arguments.stream {
        Some(stream) => of_stream(&reader, stream, arguments, &mut out)?,
        None => of_all(&store, &reader, arguments, &mut out)?,
    }
    out.out.flush()?;
    Ok(Finished::Whole)
}

fn of_stream(
    reader: &Reader<Engine>,
    stream: &str,
    arguments: &Read,
    out: &mut Lines<'_>,
) -> Result<(), Failure> {
    // A stream may be named by a uuid, or by a text that looks like one.
    let mut named = StreamId::text(stream)?;
    if wait(reader.stream_state(named.clone()))?.is_none()
        && let Ok(uuid) = Uuid::try_parse(stream)
    {
        named = StreamId::from(uuid);
    }
    if wait(reader.stream_state(named.clone()))?.is_none() {
        return Err(Failure::new(format!(
            "the store has no stream `{stream}`{}",
            match &arguments.tenant {
                Some(tenant) => format!(" of the tenant `{tenant}`"),
                None => "; a tenant's is named with --tenant too".to_owned(),
            }
        )));
    }
    let mut query = reader.stream(named).page_size(PAGE);
    if let Some(version) = arguments.from_version {
        query = query.from_version(version);
    }
    if let Some(version) = arguments.to_version {
        query = query.to_version(version);
    }
    if let Some(time) = arguments.until {
        query = query.until(time);
    }
    let mut pages = query.pages();
    while out.left > 0
        && let Some(page) = wait(pages.next())?
    {
        out.write(page)?;
    }
    Ok(())
}

fn of_all(
    store: &Store<Engine>,
    reader: &Reader<Engine>,
    arguments: &Read,
    out: &mut Lines<'_>,
) -> Result<(), Failure> {
    let mut after = Position::at(arguments.after.unwrap_or_default());
    while out.left > 0 {
        let query = match &arguments.tenant {
            Some(_) => reader.events(),
            None => store.across_tenants().events(),
        };
        let page = wait(query.after(after).limit(PAGE))?;
        out.write(page.events)?;
        if page.ceiling <= after {
            break;
        }
        after = page.ceiling;
    }
    Ok(())
}

/// Where the lines go, and how many may.
struct Lines<'a> {
    out: &'a mut dyn Write,
    left: usize,
}

impl Lines<'_> {
    fn write(&mut self, events: Vec<StoredEvent>) -> Result<(), Failure> {
        for event in events.into_iter().take(self.left) {
            writeln!(self.out, "{}", as_json(event)?)?;
            self.left -= 1;
        }
        Ok(())
    }
}

fn as_json(stored: StoredEvent) -> Result<Json, Failure> {
    let event = stored.event;
    let data: Json = serde_json::from_str(&event.data).map_err(|error| {
        Failure::new(format!(
            "event {} of the stream `{}` is not JSON: {error}",
            stored.version, stored.stream
        ))
    })?;
    let mut line = Map::new();
    let mut say = |name: &str, value: Json| line.insert(name.to_owned(), value);
    say("position", json!(stored.position));
    say("stream", json!(stored.stream.to_string()));
    say("version", json!(stored.version));
    say("type", json!(event.event_type));
    say("at", json!(event.at.to_string()));
    say("data", data);
    if !event.headers.is_empty() {
        say("headers", json!(event.headers));
    }
    let others = [
        ("correlation", event.correlation),
        ("causation", event.causation),
        ("tenant", stored.tenant.map(|tenant| tenant.to_string())),
    ];
    for (name, value) in others {
        if let Some(value) = value {
            say(name, json!(value));
        }
    }
    Ok(Json::Object(line))
}
