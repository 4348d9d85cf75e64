//! Eight writers for a while, some of them killed; then everything is recomputed.
//!
//! `ERMINE_SOAK_SECONDS` says for how long; `cargo xtask soak postgres` sets it.

mod process;
mod recomputed;
mod writer;

use std::time::{Duration, Instant};

use ermine_core::DeletedScope;

use self::process::{Process, Told};
use crate::segments::assert_sums_agree;
use crate::support::{Dice, Notes, Place, any};

/// How many processes there are, of two writers each.
const PROCESSES: usize = 4;

/// How often a connection is terminated.
const PACE: Duration = Duration::from_millis(200);

/// Every so many connections, a process is killed, and the sums are looked at.
const SELDOM: u64 = 5;

fn seconds() -> u64 {
    let told = std::env::var("ERMINE_SOAK_SECONDS").ok();
    told.and_then(|text| text.parse().ok()).unwrap_or(4)
}

#[test]
fn writers_of_whom_some_are_killed_leave_a_true_store() {
    let place = Place::new();
    // Made before the writers, who would all want to.
    let notes = Notes::open(place.postgres());
    let begun = Instant::now();
    let until = begun + Duration::from_secs(seconds());
    let told = Told::default();
    let start = |at| Process::start(&place, at, until, &told);
    let mut processes: Vec<Process> = (0..PROCESSES).map(start).collect();
    let mut dice = Dice::new(7);
    let (mut terminated, mut killed, mut looked) = (0, 0, 0);
    let plain = place.plain();
    for round in 1.. {
        std::thread::sleep(PACE);
        if Instant::now() >= until {
            break;
        }
        terminated += plain
            .rows(&format!(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{}' ORDER BY random() LIMIT 1",
                place.application()
            ))
            .len();
        if round % SELDOM != 0 {
            continue;
        }
        let at = usize::try_from(dice.roll(PROCESSES as u64)).unwrap();
        processes[at].kill();
        killed += 1;
        processes[at] = start(at);
        // At every moment, not at the end alone.
        assert_sums_agree(&place);
        looked += 1;
        for id in notes.searches("pool", [1.0, 0.0]).concat() {
            assert!(!id.is_empty());
        }
        assert!(notes.matching(notes.target(), any(&["pool"])).hits.len() <= 10);
    }
    for process in processes {
        process.ended_well();
    }
    let wrote = told.sum();
    assert_sums_agree(&place);
    told.assert_stored(&notes);
    let documents = recomputed::assert_answers_are_those_of_a_new_store(&place, &notes);
    let count = |sql: &str| plain.numbers(sql)[0];
    println!(
        "soak: {} s, {wrote}; {terminated} connections terminated, {killed} processes killed, sums recomputed {looked} times; at the end {documents} documents ({} hidden), {} segments, {} dead records, a tail of {}",
        begun.elapsed().as_secs(),
        notes.count(notes.of(DeletedScope::Only)),
        count("SELECT count(*) FROM ermine_segs_notes"),
        count("SELECT count(*) FROM ermine_dead_notes"),
        count("SELECT count(*) FROM ermine_text_notes WHERE seg IS NULL"),
    );
    let strays = count(
        "SELECT count(*) FROM \"ermine_vec_notes.embedding\" AS v LEFT JOIN ermine_doc_notes AS d ON d.doc = v.doc WHERE d.doc IS NULL",
    );
    assert_eq!(strays, 0, "vectors without a document");
}
