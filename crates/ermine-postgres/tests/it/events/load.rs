//! What is appended under the daemons, and what they make of it.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ermine_core::{ErrorKind, Result};
use ermine_macros::{Document, Event};
use ermine_postgres::Postgres;
use ermine_store::{EventProjection, Store};
use serde::{Deserialize, Serialize};

use crate::support::Dice;

/// Something that happened once, under a name of its own.
#[derive(Debug, Clone, Event, Serialize, Deserialize)]
#[event(crate = "ermine_core")]
pub(super) enum Tick {
    Ticked { id: String },
}

/// How often a tick was applied.
#[derive(Debug, Clone, Document, Serialize, Deserialize)]
#[document(crate = "ermine_core", name = "applied", tenancy = "conjoined")]
struct Applied {
    #[document(id)]
    id: String,
    times: u64,
}

/// How many ticks a writer made.
#[derive(Debug, Clone, Document, Serialize, Deserialize)]
#[document(crate = "ermine_core", name = "sums", tenancy = "conjoined")]
struct Sum {
    #[document(id)]
    id: String,
    ticks: u64,
}

fn applied() -> EventProjection<Applied> {
    EventProjection::<Applied>::new("applied").fold(
        Tick::TICKED,
        |e| name(&e.data),
        |before, e| {
            Ok(Some(Applied {
                id: name(&e.data),
                times: before.map_or(0, |before: Applied| before.times) + 1,
            }))
        },
    )
}

fn sums() -> EventProjection<Sum> {
    EventProjection::<Sum>::new("sums").fold(
        Tick::TICKED,
        |e| writer(&e.data),
        |before, e| {
            Ok(Some(Sum {
                id: writer(&e.data),
                ticks: before.map_or(0, |before: Sum| before.ticks) + 1,
            }))
        },
    )
}

fn name(tick: &Tick) -> String {
    let Tick::Ticked { id } = tick;
    id.clone()
}

fn writer(tick: &Tick) -> String {
    let name = name(tick);
    name.split('-').next().unwrap_or_default().to_owned()
}

pub(super) async fn open(postgres: Postgres) -> Result<Store<Postgres>> {
    let builder = Store::builder(postgres).events::<Tick>();
    builder
        .projection(applied())
        .projection(sums())
        .open()
        .await
}

/// What a writer was told of its ticks.
#[derive(Default)]
pub(super) struct Told {
    pub(super) acknowledged: BTreeSet<String>,
    pub(super) unknown: BTreeSet<String>,
    /// Those that were refused, since the server was away.
    pub(super) refused: usize,
}

/// Appends ticks to a few streams until it is told to stop.
pub(super) fn write(store: &Store<Postgres>, writer: usize, stops: &AtomicBool) -> Told {
    let mut dice = Dice::new(writer as u64 + 1);
    let mut told = Told::default();
    for number in 0.. {
        if stops.load(Ordering::SeqCst) {
            break;
        }
        let id = format!("{writer}-{number:06}");
        let mut session = store.session("a");
        let tick = Tick::Ticked { id: id.clone() };
        session.append(format!("stream {}", dice.roll(12)).as_str(), [tick]);
        match crate::support::block_on(session.commit()) {
            Ok(_) => drop(told.acknowledged.insert(id)),
            Err(error) => match error.kind() {
                ErrorKind::OutcomeUnknown => drop(told.unknown.insert(id)),
                ErrorKind::Storage | ErrorKind::Busy => {
                    told.refused += 1;
                    std::thread::sleep(Duration::from_millis(50));
                }
                _ => panic!("writer {writer}: {error:?}"),
            },
        }
        std::thread::sleep(Duration::from_millis(dice.roll(10)));
    }
    told
}
