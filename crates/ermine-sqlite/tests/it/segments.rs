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
    let dead: i64 = left
        .plain()
        .query_row("SELECT count(*) FROM ermine_dead_notes", [], |row| {
            row.get(0)
        })
        .unwrap();
    assert!(dead < 4_096, "{dead}");
    let answers =
        [&sealing, &plain].map(|notes| bits(&notes.matching(notes.target(), any(&["pool"]))));
    assert_eq!(answers[0], answers[1]);
}
