//! The order of events beside transactions that are held open once they have taken their
//! positions, that are rolled back, or that have nothing to do with it (rule E5).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ermine_core::{
    Backend, Engine, EventFilter, EventStorage, Expected, Mask, Op, Position, Storage, StoredEvent,
    StreamId, Unit,
};
use uuid::Uuid;

use super::{append, events, soak_seconds, stream};
use crate::support::{Dice, Place, Plain, block_on};

/// How many connections append at once, in a soak and otherwise.
const CONNECTIONS: [usize; 2] = [32, 8];

const ENGINES: usize = 4;

/// Appends to some streams, and returns the ids of what was kept. A unit that is to fail
/// does so once it has taken its positions.
fn write(engine: &Engine, dice: &mut Dice) -> Vec<Uuid> {
    let mut ids = Vec::new();
    let mut ops = Vec::new();
    for _ in 0..1 + dice.roll(3) {
        let events = events(1 + dice.roll(3));
        ids.extend(events.iter().map(|event| event.id));
        ops.push(append(stream(dice.roll(60)), Expected::Any, events));
    }
    let fails = dice.roll(10) < 3;
    if fails {
        ops.push(Op::Mask(Mask {
            tenant: None,
            stream: stream(99),
            data: vec![(1, "null".to_owned())],
        }));
    }
    let written = block_on(engine.commit(&Unit { ops }));
    assert_eq!(written.is_err(), fails, "{written:?}");
    if fails { Vec::new() } else { ids }
}

/// Follows the log until nobody writes and nothing is left.
fn follow(engine: &Engine, at_work: &AtomicUsize, limit: usize) -> Vec<StoredEvent> {
    let mut seen = Vec::new();
    let mut after = Position::START;
    loop {
        let are_done = at_work.load(Ordering::SeqCst) == 0;
        let page = block_on(engine.events(after, &EventFilter::default(), limit)).unwrap();
        let is_last = are_done && page.events.is_empty();
        assert!(page.ceiling >= after);
        after = page.ceiling;
        seen.extend(page.events);
        if is_last {
            return seen;
        }
        block_on(engine.wait(after, Duration::from_millis(20))).unwrap();
    }
}

/// What a reader finds that goes by the greatest position it sees.
fn follow_the_greatest(plain: &Plain, at_work: &AtomicUsize) -> usize {
    let (mut after, mut seen) = (0, 0);
    loop {
        let are_done = at_work.load(Ordering::SeqCst) == 0;
        let found = plain.numbers(&format!(
            "SELECT position FROM ermine_events WHERE position > {after} ORDER BY position"
        ));
        seen += found.len();
        match found.last() {
            Some(last) => after = *last,
            None if are_done => return seen,
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    }
}

#[test]
fn what_is_held_back_is_told_and_a_mark_stays_true() {
    let place = Place::new();
    let open = || block_on(place.postgres().connect()).unwrap();
    let look = |engine: &Engine| {
        let every = EventFilter::default();
        block_on(engine.events(Position::START, &every, 10)).unwrap()
    };
    let writer = open();
    let ops = vec![append(stream(1), Expected::Any, events(2))];
    block_on(writer.commit(&Unit { ops })).unwrap();
    assert_eq!(look(&writer).mark, Position::at(2));

    // Somebody read the last position a while ago, and registers only now.
    let late = place.plain();
    late.run("BEGIN");
    late.run(
        "SELECT pg_advisory_xact_lock_shared((('ermine_positions'::regclass::oid::bigint & 65535) << 48) | 1)",
    );
    let reader = open();
    let page = look(&reader);
    assert_eq!(
        (page.mark, page.given, page.ceiling),
        (Position::at(1), Position::at(2), Position::at(1))
    );
    assert_eq!(page.events.len(), 1);
    let page = look(&writer);
    assert_eq!((page.mark, page.events.len()), (Position::at(2), 2));
    late.run("COMMIT");
    assert_eq!(look(&reader).mark, Position::at(2));
}

#[test]
fn a_follower_sees_every_event_once_whoever_is_slow_or_rolls_back() {
    let soak = soak_seconds();
    let connections = CONNECTIONS[usize::from(soak.is_none())];
    let place = Place::new();
    let reading = block_on(place.postgres().connect()).unwrap();
    let writing: Vec<Engine> = (0..ENGINES)
        .map(|_| {
            let postgres = place.postgres().connections(connections / ENGINES);
            block_on(postgres.connect()).unwrap()
        })
        .collect();
    // Positions are taken here, and the commit comes a while later, now and then a long one.
    place.plain().run(
        "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
           'BEGIN PERFORM pg_sleep(random() * CASE WHEN random() < 0.02 THEN 0.2 ELSE 0.004 END); RETURN NEW; END';
         CREATE TRIGGER slow AFTER INSERT ON ermine_events FOR EACH ROW EXECUTE FUNCTION slow()",
    );
    // Somebody's transaction, which has written and stays open.
    let open = place.plain();
    open.run("CREATE TABLE theirs (one int); BEGIN; INSERT INTO theirs VALUES (1)");
    let until = Instant::now() + Duration::from_secs(soak.unwrap_or(3));
    let at_work = AtomicUsize::new(connections);
    let plain = place.plain();
    let (kept, seen, by_the_greatest) = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..connections)
            .map(|writer| {
                let (engine, at_work) = (&writing[writer % ENGINES], &at_work);
                scope.spawn(move || {
                    let mut dice = Dice::new(writer as u64 + 1);
                    let mut kept = Vec::new();
                    while Instant::now() < until {
                        kept.extend(write(engine, &mut dice));
                    }
                    at_work.fetch_sub(1, Ordering::SeqCst);
                    kept
                })
            })
            .collect();
        let (reading, at_work) = (&reading, &at_work);
        let followers: Vec<_> = [7, 500]
            .map(|limit| scope.spawn(move || follow(reading, at_work, limit)))
            .into();
        let greatest = scope.spawn(|| follow_the_greatest(&plain, at_work));
        let kept: Vec<Uuid> = writers
            .into_iter()
            .flat_map(|w| w.join().unwrap())
            .collect();
        let seen: Vec<_> = followers.into_iter().map(|f| f.join().unwrap()).collect();
        (kept, seen, greatest.join().unwrap())
    });
    open.run("ROLLBACK");
    let given = place
        .plain()
        .numbers("SELECT last_value FROM ermine_positions")[0];
    println!(
        "soak: {} events kept by {connections} connections, {given} positions given out; a reader that goes by the greatest position missed {}",
        kept.len(),
        kept.len() - by_the_greatest
    );
    assert!(by_the_greatest < kept.len(), "nothing was out of order");
    let kept: BTreeSet<Uuid> = kept.into_iter().collect();
    for seen in seen {
        assert_eq!(seen.len(), kept.len());
        assert!(seen.iter().all(|event| kept.contains(&event.event.id)));
        assert!(seen.is_sorted_by(|a, b| a.position < b.position));
        let mut versions: BTreeMap<StreamId, u64> = BTreeMap::new();
        for event in &seen {
            let version = versions.entry(event.stream.clone()).or_default();
            *version += 1;
            assert_eq!(event.version, *version, "{}", event.stream);
        }
    }
}
