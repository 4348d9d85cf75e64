//! An import that is killed, and run again.

use std::fmt::Write;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::stored::documents;
use crate::support::Place;

const FILES: usize = 250;
const PASSAGES: usize = 20;
const SEEDS: [u64; 10] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/// As many documents as a batch holds.
const BATCH: usize = 256;

/// Splitmix64.
fn random(seed: u64) -> u64 {
    let mut z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const WORDS: [&str; 16] = [
    "pool", "timeout", "vector", "index", "query", "filter", "tenant", "commit", "snapshot",
    "segment", "posting", "rank", "fusion", "batch", "writer", "reader",
];

fn corpus(place: &Place) {
    for file in 0..FILES {
        let mut text = format!("# File {file}\n");
        for passage in 0..PASSAGES {
            write!(text, "\n## Passage {passage}\n\n").unwrap();
            for word in 0..12 {
                let draw = random((file * PASSAGES + passage) as u64 * 12 + word) as usize;
                write!(text, "{} ", WORDS[draw % WORDS.len()]).unwrap();
            }
            text.push('\n');
        }
        place.write(&format!("notes/{file:03}.md"), text);
    }
}

/// Imports into `store` and kills the import at a moment that `seed` decides: after so
/// many lines of progress, and a little later. Tells whether it was alive.
fn import_and_kill(place: &Place, store: &str, seed: u64) -> bool {
    let lines = random(seed) % 19;
    let pause = Duration::from_micros(random(seed ^ 0xffff) % 20_000);
    let mut command = place.command(&["import", "notes", "--store", store]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let progress = BufReader::new(child.stderr.take().unwrap());
    for line in progress.lines().take(lines as usize) {
        assert!(line.unwrap().contains(" documents, "));
    }
    thread::sleep(pause);
    child.kill().unwrap();
    child.wait().unwrap().code().is_none()
}

#[test]
fn killed_at_ten_moments_and_run_again_it_ends_as_if_undisturbed() {
    let place = Place::new();
    corpus(&place);
    let import = |store: &str| {
        place
            .run(&["import", "notes", "--store", store])
            .succeeded()
    };
    let search = |store: &str| {
        let arguments = [
            "search",
            "pool timeout",
            "--mode",
            "text",
            "--format",
            "jsonl",
        ];
        place
            .run(&[&arguments[..], &["--store", store]].concat())
            .succeeded()
    };
    import("undisturbed.db");
    let expected = documents(&place.path("undisturbed.db"));
    assert_eq!(expected.len(), FILES * PASSAGES);
    let expected_search = search("undisturbed.db");

    let expected = &expected;
    let moment = |seed: u64| -> bool {
        let store = format!("killed-{seed}.db");
        let was_alive = import_and_kill(&place, &store, seed);
        // A store that was killed before it was made is not there, and not asked.
        let left = match place.exists(&store) {
            true => documents(&place.path(&store)),
            false => Vec::new(),
        };
        let whole = left.len() == expected.len();
        assert!(left.len().is_multiple_of(BATCH) || whole, "seed {seed}");
        let said = import(&store);
        let unchanged = format!(" {} unchanged, 0 removed; ", left.len());
        assert!(said.contains(&unchanged), "seed {seed}: {said}");
        assert!(&documents(&place.path(&store)) == expected, "seed {seed}");
        assert_eq!(search(&store), expected_search, "seed {seed}");
        was_alive && !left.is_empty() && !whole
    };
    let moments = |of: &[u64]| of.iter().filter(|seed| moment(**seed)).count();
    let inside = thread::scope(|scope| {
        let first = scope.spawn(|| moments(&SEEDS[..5]));
        moments(&SEEDS[5..]) + first.join().unwrap()
    });
    let all = SEEDS.len();
    assert!(
        inside >= 7,
        "only {inside} of {all} moments were inside the import"
    );
}

const STREAMS: usize = 64;
const VERSIONS: usize = 6;

/// A history in which every text is recorded, revised and, every fifth, forgotten.
fn history(place: &Place) {
    let mut lines = String::new();
    for version in 1..=VERSIONS {
        for stream in 0..STREAMS {
            let word = WORDS[random((version * STREAMS + stream) as u64) as usize % WORDS.len()];
            let told = match version {
                1 => format!(r#""type": "Recorded", "title": "Text {stream}", "body": "{word}""#),
                VERSIONS if stream % 5 == 0 => r#""type": "Forgotten""#.to_owned(),
                _ => format!(r#""type": "Revised", "body": "{word} of version {version}""#),
            };
            writeln!(
                lines,
                r#"{{"stream": "{stream}", "version": {version}, "at": "2024-05-0{version}T10:00:00Z", {told}}}"#
            )
            .unwrap();
        }
    }
    place.write("history.jsonl", lines);
}

#[test]
fn a_history_that_was_killed_and_is_run_again_ends_as_if_undisturbed() {
    let place = Place::new();
    history(&place);
    let import = |store: &str| {
        let import = ["import", "--events", "history.jsonl", "--store", store];
        place.command(&import)
    };
    let outcome = |store: &str| {
        let said = import(store).output().unwrap();
        assert!(said.status.success(), "{said:?}");
        let events = ["events", "read", "--store", store];
        let search = |mode| {
            let search = [
                "search",
                "pool of version",
                "--mode",
                mode,
                "--limit",
                "100",
            ];
            let search = [&search[..], &["--format", "jsonl", "--store", store]].concat();
            place.run(&search).json_lines()
        };
        let events = place.run(&events).json_lines();
        (events.len(), search("text"), search("vector"))
    };
    let expected = outcome("undisturbed.db");
    assert_eq!(expected.0, STREAMS * VERSIONS);
    assert_eq!(expected.2.len(), STREAMS - STREAMS.div_ceil(5));
    let mut inside = 0;
    for lines in 1..=7 {
        let store = format!("history-{lines}.db");
        let mut child = import(&store)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let progress = BufReader::new(child.stderr.take().unwrap());
        assert_eq!(progress.lines().take(lines).count(), lines);
        child.kill().unwrap();
        inside += usize::from(child.wait().unwrap().code().is_none());
        assert!(outcome(&store) == expected, "after {lines} lines");
    }
    assert!(inside >= 5, "only {inside} of 7 were alive when killed");
}
