//! Connections that are cut in the middle of a commit.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ermine_core::{
    Answer, Backend, Engine, ErrorKind, Expected, Read, Storage, StreamId, StreamRange, Unit,
};

use super::{append, events, stream};
use crate::support::{Place, block_on};

const WRITERS: usize = 6;

/// How often a writer does not learn what became of its unit before this is over.
const UNKNOWN: usize = 4;

fn stored(engine: &Engine, stream: StreamId) -> Vec<String> {
    let read = Read::Stream {
        range: StreamRange::whole(None, stream),
        limit: 10_000,
    };
    match block_on(engine.read(&[read])).unwrap().remove(0) {
        Answer::Events(events) => events.into_iter().map(|e| e.event.data).collect(),
        other => panic!("{other:?}"),
    }
}

/// Appends events with the numbers from 1, and looks where it does not know whether one
/// is stored. Returns how many there were.
fn write(engine: &Engine, name: u64, unknown: &AtomicUsize) -> u64 {
    for number in 1.. {
        if unknown.load(Ordering::SeqCst) >= WRITERS * UNKNOWN {
            return number - 1;
        }
        loop {
            let mut one = events(1);
            one[0].data = number.to_string();
            let expected = Expected::Version(number - 1);
            let ops = vec![append(stream(name), expected, one)];
            match block_on(engine.commit(&Unit { ops })) {
                Ok(_) => break,
                Err(error) if error.kind() == ErrorKind::OutcomeUnknown => {
                    unknown.fetch_add(1, Ordering::SeqCst);
                    if stored(engine, stream(name)).len() as u64 == number {
                        break;
                    }
                }
                Err(error) => panic!("event {number} of writer {name}: {error:?}"),
            }
        }
    }
    0
}

#[test]
fn a_commit_that_is_cut_is_known_or_reported_as_unknown_and_doubles_nothing() {
    let place = Place::new();
    let engine = block_on(place.named().connections(WRITERS).connect()).unwrap();
    // What is deferred happens within the commit.
    place.plain().run(
        "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
           'BEGIN PERFORM pg_sleep(0.02); RETURN NULL; END';
         CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON ermine_events
           DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow()",
    );
    let unknown = AtomicUsize::new(0);
    let at_work = AtomicUsize::new(WRITERS);
    let plain = place.plain();
    let (written, cut) = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS as u64)
            .map(|name| {
                let (engine, unknown, at_work) = (&engine, &unknown, &at_work);
                scope.spawn(move || {
                    let written = write(engine, name, unknown);
                    at_work.fetch_sub(1, Ordering::SeqCst);
                    written
                })
            })
            .collect();
        let mut cut = 0;
        while at_work.load(Ordering::SeqCst) > 0 && writers.iter().any(|w| !w.is_finished()) {
            cut += plain
                .rows(&format!(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{}'
                     AND state = 'active' AND query = 'COMMIT' ORDER BY random() LIMIT 1",
                    place.application()
                ))
                .len();
            std::thread::sleep(Duration::from_millis(30));
        }
        let written: Vec<u64> = writers.into_iter().map(|w| w.join().unwrap()).collect();
        (written, cut)
    });
    println!(
        "soak: {} events written, {cut} connections cut in a commit, {} outcomes unknown",
        written.iter().sum::<u64>(),
        unknown.load(Ordering::SeqCst)
    );
    for (name, count) in written.iter().enumerate() {
        let expected: Vec<String> = (1..=*count).map(|number| number.to_string()).collect();
        assert_eq!(stored(&engine, stream(name as u64)), expected);
    }
}
