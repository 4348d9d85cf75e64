//! Writers that get in each other's way.

use ermine_core::{DeleteMode, ErrorKind, PutMode};

use crate::segments::assert_sums_agree;
use crate::support::{Dice, Notes, Place, note};

#[test]
fn eight_writers_with_common_words_leave_true_sums() {
    let place = Place::new();
    let stores = [Notes::open(place.postgres()), Notes::open(place.postgres())];
    std::thread::scope(|scope| {
        for writer in 0..8_usize {
            let notes = &stores[writer % 2];
            scope.spawn(move || {
                let mut dice = Dice::new(writer as u64 + 1);
                for _ in 0..40 {
                    let ops = (0..1 + dice.roll(12)).map(|_| {
                        let id = format!("{:03}", dice.roll(400));
                        let word = dice.roll(20);
                        match dice.roll(10) {
                            0 => notes.delete(&id, DeleteMode::Hard),
                            1 => notes.delete(&id, DeleteMode::Declared),
                            _ => notes.put(
                                note(&id, &format!("pool timeout word{word}"))
                                    .vector([1.0, word as f32]),
                            ),
                        }
                    });
                    // No deadlock and no lost race reaches a caller.
                    notes.commit(ops.collect()).unwrap();
                }
            });
        }
    });
    assert_sums_agree(&place);
    let documents = place.plain().numbers(
        "SELECT count(*) FROM ermine_doc_notes AS d FULL JOIN \"ermine_vec_notes.embedding\" AS v ON v.doc = d.doc WHERE d.doc IS NULL OR v.doc IS NULL",
    );
    assert_eq!(documents, [0], "documents and vectors");
}

#[test]
fn of_many_who_insert_the_same_document_one_succeeds() {
    let place = Place::new();
    let notes = Notes::open(place.postgres());
    for round in 0..10 {
        let insert = || {
            let ops = (0..3)
                .map(|at| notes.put(note(&format!("{round}-{at}"), "pool").mode(PutMode::Insert)));
            notes.commit(ops.collect()).map_err(|error| error.kind())
        };
        let results: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..6).map(|_| scope.spawn(insert)).collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        assert_eq!(
            results.iter().filter(|r| r.is_ok()).count(),
            1,
            "{results:?}"
        );
        let lost = results
            .iter()
            .filter(|r| **r == Err(ErrorKind::AlreadyExists));
        assert_eq!(lost.count(), 5, "{results:?}");
    }
}

#[test]
fn units_that_lock_in_opposite_orders_are_all_written() {
    let place = Place::new();
    let notes = Notes::open(place.postgres().connections(4));
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let notes = &notes;
            scope.spawn(move || {
                for round in 0..25 {
                    let ids = ["a", "b", "c", "d"];
                    let mut ops = Vec::new();
                    for at in 0..4 {
                        let id = if writer % 2 == 0 {
                            ids[at]
                        } else {
                            ids[3 - at]
                        };
                        ops.push(notes.put(note(id, &format!("round {round}"))));
                        ops.push(notes.delete(id, DeleteMode::Hard));
                    }
                    notes.commit(ops).unwrap();
                }
            });
        }
    });
    assert_eq!(notes.count(notes.target()), 0);
    assert_sums_agree(&place);
}
