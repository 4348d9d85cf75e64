//! A process killed inside a stream of units leaves whole units only.

use std::io::{BufRead, BufReader};

use ermine_core::Include;

use crate::processes::{child, file_of_child};
use crate::support::{Folder, Notes, any, note};

const PARTS: usize = 5;

#[test]
fn a_killed_process_leaves_whole_units_and_all_it_was_told_of() {
    for units in [1, 7, 30, 111] {
        let folder = Folder::new();
        let mut writing = child("killed::a_process_to_be_killed", &folder);
        let mut told = 0;
        let out = BufReader::new(writing.stdout.take().unwrap());
        for line in out.lines() {
            // The test runner writes lines of its own, and one before ours.
            let line = line.unwrap();
            if let Some((_, unit)) = line.rsplit_once("committed ") {
                told = unit.parse().unwrap();
            }
            if told >= units {
                break;
            }
        }
        writing.kill().unwrap();
        writing.wait().unwrap();

        let notes = Notes::file(&folder.file());
        let parts = |unit: usize| {
            (0..PARTS)
                .filter(|part| {
                    let id = format!("{unit}-{part}");
                    notes.load(&id, Include::default()).unwrap().is_some()
                })
                .count()
        };
        for unit in 1..=told {
            assert_eq!(parts(unit), PARTS, "unit {unit} of {told}");
        }
        let total = usize::try_from(notes.count(notes.target())).unwrap();
        assert_eq!(total % PARTS, 0);
        let [nearest, matching, _] = notes.searches("pool", [1.0, 0.0]);
        assert_eq!(
            (nearest.len(), matching.len()),
            (total.min(10), total.min(10))
        );
        let check: String = folder
            .plain()
            .query_row("PRAGMA integrity_check", [], |row| row.get(0))
            .unwrap();
        assert_eq!(check, "ok");
        assert!(
            notes
                .matching(notes.target(), any(&["moon"]))
                .hits
                .is_empty()
        );
    }
}

#[test]
#[ignore = "the other process of a test"]
fn a_process_to_be_killed() {
    let notes = Notes::file(&file_of_child());
    for unit in 1..100_000 {
        let parts = (0..PARTS)
            .map(|part| note(&format!("{unit}-{part}"), "pool").vector([1.0, part as f32]));
        notes.store(parts);
        println!("committed {unit}");
    }
}
