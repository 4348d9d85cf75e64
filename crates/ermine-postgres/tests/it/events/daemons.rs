//! Three daemons that share a database, of whom the leader is killed again and again.

mod process;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ermine_postgres::Postgres;
use ermine_store::{Daemon, ShardStatus, Store};

use self::process::Process;
use super::{load, soak_seconds};
use crate::support::{Place, Plain, block_on, url};

const DAEMONS: usize = 3;
const WRITERS: usize = 4;

/// How often a leader is killed in a soak, and how often otherwise.
const KILLS: [usize; 2] = [20, 1];

/// Who restarts the server where this file appears says so by removing it.
const RESTART: &str = "ERMINE_SOAK_RESTART";

/// Longer than anything takes that comes to an end.
const LONG: Duration = Duration::from_secs(120);

/// The state of all shards, as soon as the server is there.
fn status(daemon: &Daemon) -> Vec<ShardStatus> {
    let begun = Instant::now();
    loop {
        match block_on(daemon.status()) {
            Ok(status) => return status,
            Err(error) => assert!(begun.elapsed() < LONG, "{error:?}"),
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Waits until a shard is led by one of whom this is true.
fn leader(daemon: &Daemon, shard: usize, is_one: impl Fn(&str) -> bool) -> String {
    let begun = Instant::now();
    loop {
        if let Some(leader) = status(daemon).swap_remove(shard).leader
            && is_one(&leader)
        {
            return leader;
        }
        assert!(begun.elapsed() < LONG, "nobody leads shard {shard}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Waits until every shard has come to where the log goes now, and says how long that took.
fn catch_up(daemon: &Daemon) -> Duration {
    let begun = Instant::now();
    let mark = status(daemon)[0].mark;
    while status(daemon).iter().any(|shard| shard.position < mark) {
        assert!(begun.elapsed() < LONG, "{:?}", status(daemon));
        std::thread::sleep(Duration::from_millis(20));
    }
    begun.elapsed()
}

/// Cuts a connection of anybody's now and then.
fn cut(place: &Place, stops: &AtomicBool) -> usize {
    let sql = format!(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{}' ORDER BY random() LIMIT 1",
        place.application()
    );
    let mut cut = 0;
    while !stops.load(Ordering::SeqCst) {
        // The server may be away.
        cut += Plain::try_to_connect(&url()).map_or(0, |plain| plain.try_to_count(&sql));
        std::thread::sleep(Duration::from_millis(400));
    }
    cut
}

/// Restarts the server, if whoever owns it said how.
fn restart(how: &str) -> Option<Duration> {
    let asked = PathBuf::from(std::env::var_os(RESTART)?);
    let begun = Instant::now();
    std::fs::write(&asked, how).unwrap();
    while asked.exists() {
        assert!(begun.elapsed() < LONG, "nobody restarts the server");
        std::thread::sleep(Duration::from_millis(10));
    }
    Some(begun.elapsed())
}

#[test]
fn every_event_is_applied_once_whichever_daemon_is_killed() {
    let is_soak = soak_seconds().is_some();
    let place = Place::new();
    // So that what was acknowledged outlives the server, whatever its settings.
    let url = format!("{}&options=-c%20synchronous_commit%3Don", place.named_url());
    let postgres = Postgres::url(&url).schema(&place.schema);
    let store: Store<Postgres> = block_on(load::open(postgres)).unwrap();
    let start = |number| Process::start(&place, &url, number, !is_soak);
    let mut processes: Vec<Process> = (0..DAEMONS).map(start).collect();
    let daemon = store.daemon();
    let stops = AtomicBool::new(false);
    let mut takeovers = Vec::new();
    let mut resumed = Vec::new();
    let (told, cut) = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let (store, stops) = (&store, &stops);
                scope.spawn(move || load::write(store, writer, stops))
            })
            .collect();
        let cutting = is_soak.then(|| scope.spawn(|| cut(&place, &stops)));
        let _stop = Stop(&stops);
        for kill in 0..KILLS[usize::from(!is_soak)] {
            let shard = kill % 2;
            let killed = leader(&daemon, shard, |leader| {
                processes.iter().any(|process| process.holder == leader)
            });
            let at = processes
                .iter()
                .position(|process| process.holder == killed);
            let process = &mut processes[at.unwrap()];
            process.kill();
            let begun = Instant::now();
            leader(&daemon, shard, |leader| leader != killed);
            takeovers.push(begun.elapsed());
            *process = start(DAEMONS + kill);
            std::thread::sleep(Duration::from_millis(300));
        }
        for how in ["fast", "immediate", "fast", "immediate"] {
            if let Some(away) = restart(how) {
                resumed.push((how, away, catch_up(&daemon)));
            }
        }
        stops.store(true, Ordering::SeqCst);
        let told: Vec<_> = writers.into_iter().map(|w| w.join().unwrap()).collect();
        (told, cutting.map_or(0, |cutting| cutting.join().unwrap()))
    });
    catch_up(&daemon);
    for process in processes {
        process.stop();
    }
    let acknowledged: BTreeSet<&String> = told.iter().flat_map(|t| &t.acknowledged).collect();
    let unknown: BTreeSet<&String> = told.iter().flat_map(|t| &t.unknown).collect();
    let refused: usize = told.iter().map(|t| t.refused).sum();
    let plain = place.plain();
    let applied = plain.column("SELECT id FROM ermine_doc_applied");
    let applied: BTreeSet<&String> = applied.iter().collect();
    takeovers.sort();
    println!(
        "soak: {} events acknowledged, {} of unknown outcome ({} of them stored), {refused} refused; {cut} connections cut, {} leaders killed: another led after {:?} at least, {:?} in the middle, {:?} at most; server restarts: {}",
        acknowledged.len(),
        unknown.len(),
        unknown.intersection(&applied).count(),
        takeovers.len(),
        takeovers[0],
        takeovers[takeovers.len() / 2],
        takeovers[takeovers.len() - 1],
        resumed
            .iter()
            .map(|(how, away, behind)| format!(
                "{how}, away for {away:?}, caught up after {behind:?}"
            ))
            .collect::<Vec<_>>()
            .join("; ")
    );
    let lost = acknowledged.difference(&applied).count();
    assert_eq!(lost, 0, "events that were acknowledged and are not applied");
    assert!(
        applied
            .iter()
            .all(|id| acknowledged.contains(id) || unknown.contains(id))
    );
    let number = |sql: &str| plain.numbers(sql)[0];
    let twice = "SELECT count(*) FROM ermine_doc_applied WHERE (body::json->>'times')::bigint <> 1";
    assert_eq!(number(twice), 0, "events that were not applied once");
    let events = number("SELECT count(*) FROM ermine_events");
    assert_eq!(events, applied.len() as i64);
    let summed = "SELECT sum((body::json->>'ticks')::bigint)::bigint FROM ermine_doc_sums";
    assert_eq!(number(summed), events);
}

/// Ends those at work where the test fails.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}
