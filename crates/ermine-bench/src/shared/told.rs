//! The events that processes tell each other, and what counts them.

use std::collections::HashMap;

use ermine::{
    Document, Engine, Envelope, Error, ErrorKind, Event, EventProjection, Position, Store,
};
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::place::Place;

#[derive(Debug, Clone, Event, Serialize, Deserialize)]
pub(super) struct Told {
    pub(super) number: u64,
}

/// How often an event was applied.
#[derive(Debug, Clone, Document, Serialize, Deserialize)]
#[document(name = "applied")]
struct Applied {
    #[document(id)]
    event: String,
    times: u64,
}

/// How far a stream was applied, and where its last event stands.
#[derive(Debug, Clone, Document, Serialize, Deserialize)]
#[document(name = "followed")]
struct Followed {
    #[document(id)]
    stream: String,
    version: u64,
    sum: u64,
    position: u64,
}

pub(super) async fn open(place: &Place) -> Result<Store<Engine>> {
    let applied = EventProjection::<Applied>::new("applied").fold(
        Told::EVENT,
        |event| event.id.to_string(),
        |before, event| {
            Ok(Some(Applied {
                event: event.id.to_string(),
                times: before.map_or(0, |before: Applied| before.times) + 1,
            }))
        },
    );
    let followed = EventProjection::<Followed>::new("followed").fold(
        Told::EVENT,
        |event| event.stream.to_string(),
        follow,
    );
    let store = Store::builder(place.connect().await?)
        .events::<Told>()
        .projection(applied)
        .projection(followed)
        .open()
        .await?;
    Ok(store)
}

fn follow(before: Option<Followed>, event: &Envelope<Told>) -> ermine::Result<Option<Followed>> {
    let stream = event.stream.to_string();
    let mut followed = before.unwrap_or(Followed {
        stream,
        version: 0,
        sum: 0,
        position: 0,
    });
    if event.version != followed.version + 1 || event.position.get() <= followed.position {
        return Err(Error::new(
            ErrorKind::InvalidValue,
            format!(
                "event {} of {} comes after event {}",
                event.version, event.stream, followed.version
            ),
        ));
    }
    followed.version = event.version;
    followed.sum += event.data.number;
    followed.position = event.position.get();
    Ok(Some(followed))
}

/// Compares what was applied with the log itself, event by event.
pub(super) async fn check(store: &Store<Engine>, acknowledged: u64) -> Result<()> {
    let reader = store.reader_without_tenant();
    let (mut after, mut told) = (Position::START, 0_u64);
    loop {
        let page = reader
            .events()
            .of::<Told>()
            .after(after)
            .limit(1_000)
            .await?;
        after = page.ceiling;
        told += page.events.len() as u64;
        let ids: Vec<String> = page.events.iter().map(|e| e.event.id.to_string()).collect();
        let applied = reader.load_many::<Applied>(&ids).await?;
        let applied = applied
            .into_iter()
            .map(|applied| (applied.event, applied.times));
        let applied: HashMap<String, u64> = applied.collect();
        for id in &ids {
            let times = applied.get(id).copied().unwrap_or_default();
            if times != 1 {
                return Err(format!("event {id} was applied {times} times").into());
            }
        }
        if after >= page.mark {
            break;
        }
    }
    let rows = reader.query::<Applied>().count().await?;
    let streams = reader.query::<Followed>().limit(10_000).await?;
    let followed: u64 = streams.iter().map(|stream| stream.version).sum();
    if told == 0 || told != acknowledged || rows != told || followed != told {
        return Err(format!(
            "{acknowledged} events were acknowledged, {told} are in the log, {rows} were applied, {followed} counted by stream"
        )
        .into());
    }
    Ok(())
}
