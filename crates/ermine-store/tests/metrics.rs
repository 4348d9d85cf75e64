//! What a daemon tells a recorder of the `metrics` crate.

// Helpers of a test fail it by panicking; clippy's exception covers test functions only.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::future::{Future, IntoFuture};
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Duration;

use ermine_compliance::Reference;
use ermine_core::{
    Content, Embedding, EmbeddingProvider, Error, ErrorKind, ModelIdentity, Result, Role, Vector,
};
use ermine_macros::{Document, Event};
use ermine_store::{Clock, ErrorPolicy, EventBuilder, Store, SystemClock, VectorProjection};
use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A recorder that keeps everything, by name and labels.
#[derive(Clone, Default)]
struct Kept {
    counters: Arc<Mutex<BTreeMap<String, Arc<AtomicU64>>>>,
    gauges: Arc<Mutex<BTreeMap<String, Arc<AtomicU64>>>>,
    units: Arc<Mutex<BTreeMap<String, Option<Unit>>>>,
}

impl Kept {
    fn counters(&self) -> BTreeMap<String, u64> {
        let counters = self.counters.lock().unwrap();
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let counters = counters.iter();
        counters.map(|(key, c)| (key.clone(), read(c))).collect()
    }

    fn gauge(&self, name: &str) -> f64 {
        let key = format!("ermine_shard_{name}{LABELS}");
        let gauge = self.gauges.lock().unwrap().get(&key).cloned();
        let gauge = gauge.unwrap_or_else(|| panic!("nothing was told of {key}"));
        f64::from_bits(gauge.load(Ordering::Relaxed))
    }
}

const LABELS: &str = "{projection=note-vectors,shard=note-vectors:1}";

fn name(key: &Key) -> String {
    let labels: Vec<_> = key
        .labels()
        .map(|label| format!("{}={}", label.key(), label.value()))
        .collect();
    format!("{}{{{}}}", key.name(), labels.join(","))
}

impl Recorder for Kept {
    fn describe_counter(&self, key: KeyName, unit: Option<Unit>, _: SharedString) {
        let mut units = self.units.lock().unwrap();
        units.insert(key.as_str().to_owned(), unit);
    }

    fn describe_gauge(&self, key: KeyName, unit: Option<Unit>, help: SharedString) {
        self.describe_counter(key, unit, help);
    }

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        let mut counters = self.counters.lock().unwrap();
        Counter::from_arc(Arc::clone(counters.entry(name(key)).or_default()))
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        let mut gauges = self.gauges.lock().unwrap();
        Gauge::from_arc(Arc::clone(gauges.entry(name(key)).or_default()))
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        panic!("no histogram is told")
    }
}

/// Runs a future on this thread, whose recorder is another than that of other tests.
fn wait<T>(future: impl IntoFuture<Output = T>) -> T {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future.into_future());
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}

#[derive(Event, Serialize, Deserialize)]
#[event(crate = "ermine_core")]
struct NoteWritten {
    id: Uuid,
    text: String,
}

#[derive(Document, Serialize, Deserialize)]
#[document(name = "note_vectors")]
#[document(crate = "ermine_core")]
struct NoteVector {
    #[document(id)]
    id: Uuid,
    #[document(vector(dimensions = 1))]
    embedding: Embedding,
}

/// The gauges as they are while a call is under way.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Seen {
    leads: f64,
    position: f64,
    lag_events: f64,
    is_late: bool,
}

/// Embeds nothing of note, and looks at the gauges while a call is under way.
struct Watching {
    identity: ModelIdentity,
    kept: Kept,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl EmbeddingProvider for Watching {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    async fn embed(&self, texts: &[&str], _: Role) -> Result<Vec<Option<Vector>>> {
        self.seen.lock().unwrap().push(Seen {
            leads: self.kept.gauge("leads"),
            position: self.kept.gauge("position"),
            lag_events: self.kept.gauge("lag_events"),
            is_late: self.kept.gauge("lag_seconds") > 3_600.0,
        });
        // The event waits while this takes its time, and the renewals of the lease say so.
        let before = self.kept.gauge("lag_seconds");
        for _ in 0..2_000 {
            if self.kept.gauge("lag_seconds") > before {
                return Ok(vec![Some(Vector::from([1.0])); texts.len()]);
            }
            SystemClock.sleep(Duration::from_millis(5)).await;
        }
        panic!("the lag does not grow");
    }
}

#[test]
fn lag_and_counts_are_told_of_each_shard() {
    let kept = Kept::default();
    metrics::with_local_recorder(&kept, || wait(lag_and_counts(&kept)));
}

async fn lag_and_counts(kept: &Kept) {
    let seen = Arc::default();
    let provider = Watching {
        identity: ModelIdentity::new("test", "watching", 1),
        kept: kept.clone(),
        seen: Arc::clone(&seen),
    };
    let notes = VectorProjection::<NoteVector>::map("note-vectors")
        .map(
            NoteWritten::EVENT,
            |e| match e.data.text.as_str() {
                "wrong" => Err(Error::new(ErrorKind::InvalidValue, "a wrong note")),
                text => Ok(Content::text(text)),
            },
            |e| e.data.id,
        )
        .document(|row| NoteVector {
            id: row.id,
            embedding: Embedding::NotLoaded,
        });
    let store = Store::builder(Reference::new())
        .events::<NoteWritten>()
        .projection(notes)
        .embeddings(provider);
    let store = store.open().await.unwrap();

    let mut session = store.session_without_tenant();
    for (n, text) in ["four", "words", "wrong", "again", "more"]
        .iter()
        .enumerate()
    {
        let id = Uuid::from_u128(n as u128);
        let note = NoteWritten {
            id,
            text: (*text).to_owned(),
        };
        let at = "2019-06-01T08:00:00Z".parse().unwrap();
        session.append("notebook", [EventBuilder::of(note).at(at)]);
    }
    session.commit().await.unwrap();
    let daemon = store.daemon().page_size(2).on_error(ErrorPolicy::Park);
    let daemon = daemon.lease(Duration::from_millis(300));
    daemon.run_until_caught_up().await.unwrap();

    let while_at = |position, lag_events| Seen {
        leads: 1.0,
        position,
        lag_events,
        is_late: true,
    };
    let pages = vec![while_at(0.0, 5.0), while_at(2.0, 3.0), while_at(4.0, 1.0)];
    assert_eq!(*seen.lock().unwrap(), pages);
    let gauges = ["leads", "position", "lag_events", "lag_seconds"].map(|name| kept.gauge(name));
    assert_eq!(gauges, [0.0, 5.0, 0.0, 0.0], "caught up, and nobody leads");

    let told = kept.counters();
    let expected = [
        ("events_applied", 4),
        ("events_parked", 1),
        ("provider_calls", 3),
        ("rows_removed", 0),
        ("rows_unchanged", 0),
        ("rows_written", 4),
        ("texts_embedded", 4),
        ("tokens_embedded", 6),
    ];
    let expected = expected
        .map(|(name, number)| (format!("ermine_shard_{name}_total{LABELS}"), number))
        .into();
    assert_eq!(told, expected);
    let counts = daemon.status().await.unwrap().remove(0).counts;
    assert_eq!((counts.events, counts.parked, counts.tokens), (4, 1, 6));

    let units = kept.units.lock().unwrap();
    assert_eq!(units.len(), 12, "each is described: {units:?}");
    assert_eq!(
        units.get("ermine_shard_lag_seconds"),
        Some(&Some(Unit::Seconds))
    );
}
