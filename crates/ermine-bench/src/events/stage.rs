//! The stages, each in a process of its own, so that the memory is its own.

use std::str::FromStr;
use std::time::Instant;

use ermine::{Document, Engine, Event, EventProjection, Store};
use serde::{Deserialize, Serialize};

use super::{BATCH, data, rate, stream};
use crate::place::Place;
use crate::{Result, memory};

/// How many events are appended one by one.
const SINGLE: usize = 2_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Append,
    Project,
    Rebuild,
}

#[derive(Debug, Clone, Event, Serialize, Deserialize)]
struct Noted {
    text: String,
}

/// How many events a stream has.
#[derive(Debug, Clone, Document, Serialize, Deserialize)]
#[document(name = "counts")]
struct Count {
    #[document(id)]
    stream: String,
    events: u64,
    bytes: u64,
}

impl Stage {
    pub(super) const ALL: [Self; 3] = [Self::Append, Self::Project, Self::Rebuild];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Append => "append",
            Self::Project => "project",
            Self::Rebuild => "rebuild",
        }
    }

    /// Does it; the last line that it prints is the memory it took at most, in bytes.
    pub(crate) async fn run(self, place: &Place, events: usize, streams: usize) -> Result<()> {
        let store = open(place).await?;
        match self {
            Self::Append => append(&store, events, streams).await?,
            Self::Project => {
                let begun = Instant::now();
                store.daemon().run_until_caught_up().await?;
                println!("projected: {:.0} events/s", rate(events, begun));
                check(&store, events, streams).await?;
            }
            Self::Rebuild => {
                let begun = Instant::now();
                store.daemon().rebuild("counts").await?;
                println!("rebuilt: {:.0} events/s", rate(events, begun));
                check(&store, events, streams).await?;
            }
        }
        let peak = memory::peak().ok_or("the system does not tell how much memory was used")?;
        println!("{peak}");
        Ok(())
    }
}

impl FromStr for Stage {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let mut stages = Self::ALL.into_iter();
        let named = stages.find(|stage| stage.name() == text);
        named.ok_or_else(|| format!("{text:?} is no stage"))
    }
}

async fn open(place: &Place) -> Result<Store<Engine>> {
    let counts = EventProjection::<Count>::new("counts").fold(
        Noted::EVENT,
        |event| event.stream.to_string(),
        |before, event| {
            let mut count = before.unwrap_or_else(|| Count {
                stream: event.stream.to_string(),
                events: 0,
                bytes: 0,
            });
            count.events += 1;
            count.bytes += event.data.text.len() as u64;
            Ok(Some(count))
        },
    );
    let store = Store::builder(place.connect().await?)
        .events::<Noted>()
        .projection(counts)
        .open()
        .await?;
    Ok(store)
}

/// One by one first, and then in units of many.
async fn append(store: &Store<Engine>, events: usize, streams: usize) -> Result<()> {
    let mut session = store.session_without_tenant();
    let single = SINGLE.min(events / 10);
    let mut begun = Instant::now();
    for number in 0..events {
        let text = data(number);
        session.append(stream(number, streams), [Noted { text }]);
        let size = if number < single { 1 } else { BATCH };
        if session.pending() >= size {
            session.commit().await?;
        }
        if number + 1 == single {
            println!(
                "appended, an event in a unit: {:.0} events/s",
                rate(single, begun)
            );
            begun = Instant::now();
        }
    }
    session.commit().await?;
    let batches = rate(events - single, begun);
    println!("appended, {BATCH} events in a unit: {batches:.0} events/s");
    Ok(())
}

async fn check(store: &Store<Engine>, events: usize, streams: usize) -> Result<()> {
    let reader = store.reader_without_tenant();
    let rows = reader.query::<Count>().count().await?;
    let mut counted = 0;
    for number in 0..streams {
        let id = stream(number, streams);
        if number % 997 == 0 {
            let count = reader
                .load::<Count>(&id)
                .await?
                .map_or(0, |count| count.events);
            let expected = (events - number).div_ceil(streams) as u64;
            if count != expected {
                return Err(format!("{id} has {count} events in the place of {expected}").into());
            }
            counted += 1;
        }
    }
    if rows != streams.min(events) as u64 || counted == 0 {
        return Err(format!("{rows} streams are counted in the place of {streams}").into());
    }
    Ok(())
}
