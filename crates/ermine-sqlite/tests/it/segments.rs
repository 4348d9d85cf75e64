//! Sealed segments and the tail give the scores that the tail alone gives.

use ermine_core::{DeleteMode, TextAnswer};

use crate::support::{Folder, Notes, any, note};

fn body(n: usize) -> String {
    let words = ["pool", "db", "rust", "timeouts", "moon"];
    (0..=n % 4)
        .map(|k| words[(n * 7 + k * 3) % 5])
        .collect::<Vec<_>>()
        .join(" ")
}

fn bits(answer: &TextAnswer) -> Vec<(String, u64)> {
    answer
        .hits
        .iter()
        .map(|(record, score)| (record.id.to_string(), score.value().to_bits()))
        .collect()
}

fn sealed(folder: &Folder) -> i64 {
    folder
        .plain()
        .query_row("SELECT count(*) FROM ermine_segs_notes", [], |row| {
            row.get(0)
        })
        .unwrap()
}

fn dead(folder: &Folder) -> i64 {
    folder
        .plain()
        .query_row("SELECT count(*) FROM ermine_dead_notes", [], |row| {
            row.get(0)
        })
        .unwrap()
}

#[test]
fn a_segment_that_loses_a_part_of_its_records_at_a_time_is_built_anew() {
    let folder = Folder::new();
    let notes = Notes::file(&folder.file());
    let ids: Vec<String> = (0..8_192).map(|n| format!("{n:05}")).collect();
    // A group is answered before its indexes are tended, and the next one after it.
    let tended = || {
        let nothing = notes.delete("nobody", DeleteMode::Hard);
        notes.commit(vec![nothing]).unwrap();
    };
    notes.store(ids.iter().map(|id| note(id, &body(id.parse().unwrap()))));
    tended();
    assert_eq!((sealed(&folder), dead(&folder)), (2, 0));
    // A third of every segment is replaced, with enough other changes to be noticed.
    for _ in 0..2 {
        notes.store(ids.iter().step_by(3).map(|id| note(id, "moon")));
        notes.store(ids.iter().step_by(3).map(|id| note(id, "moon moon")));
    }
    tended();
    assert!(dead(&folder) < 1_024, "{}", dead(&folder));
    let other = Folder::new();
    let fresh = Notes::file(&other.file());
    fresh.store(ids.iter().enumerate().map(|(n, id)| match n % 3 {
        0 => note(id, "moon moon"),
        _ => note(id, &body(n)),
    }));
    for words in [&["moon"][..], &["db", "pool", "rust"]] {
        let answers = [&notes, &fresh].map(|n| bits(&n.matching(n.target(), any(words))));
        assert_eq!(answers[0], answers[1], "{words:?}");
    }
}

#[test]
fn scores_are_equal_to_the_bit_whatever_is_sealed_dead_or_hidden() {
    let (left, right) = (Folder::new(), Folder::new());
    let (sealing, plain) = (Notes::file(&left.file()), Notes::file(&right.file()));
    let count = 4_500;
    let ids: Vec<String> = (0..count).map(|n| format!("{n:05}")).collect();
    // One store seals on the way; the other keeps its tail short of a segment by
    // receiving only what is left in the end.
    for chunk in ids.chunks(1_500) {
        let notes = chunk.iter().map(|id| note(id, &body(id.parse().unwrap())));
        sealing.store(notes);
    }
    let mut kept = Vec::new();
    let mut ops = Vec::new();
    for (n, id) in ids.iter().enumerate() {
        match n % 5 {
            0 => ops.push(sealing.delete(id, DeleteMode::Declared)),
            1 => ops.push(sealing.delete(id, DeleteMode::Hard)),
            2 => {
                let changed = note(id, &format!("{} extra", body(n)));
                ops.push(sealing.put(changed.clone()));
                kept.push(changed);
            }
            _ => kept.push(note(id, &body(n))),
        }
    }
    sealing.commit(ops).unwrap();
    plain.store(kept);
    assert!(sealed(&left) >= 1);
    assert_eq!(sealed(&right), 0);
    for words in [
        &["pool"][..],
        &["db", "pool", "rust"],
        &["extra"],
        &["nothing"],
    ] {
        let sealing = sealing.matching(sealing.target(), any(words));
        let plain = plain.matching(plain.target(), any(words));
        assert_eq!(bits(&sealing), bits(&plain), "{words:?}");
    }

    // Segments of which little lives are given up, and nothing changes.
    sealing.store(ids.iter().map(|id| note(id, "pool pool")));
    sealing.store(ids.iter().map(|id| note(id, "pool")));
    plain.store(ids.iter().map(|id| note(id, "pool")));
    sealing
        .commit(vec![sealing.delete("nobody", DeleteMode::Hard)])
        .unwrap();
    assert!(dead(&left) < 1_024);
    let answers =
        [&sealing, &plain].map(|notes| bits(&notes.matching(notes.target(), any(&["pool"]))));
    assert_eq!(answers[0], answers[1]);
}
