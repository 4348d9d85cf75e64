use std::thread;

use ermine_core::{ErrorKind, Include, PutMode, Token};

use ermine_sqlite::Sqlite;

use crate::support::{Folder, Notes, any, note};

#[test]
fn many_units_commit_together_and_those_that_fail_fail_alone() {
    let folder = Folder::new();
    let notes = Notes::file(&folder.file());
    notes.store([note("taken", "")]);
    let outcomes: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..64)
            .map(|n| {
                let notes = &notes;
                scope.spawn(move || {
                    let mut ops = vec![notes.put(note(&format!("first-{n}"), "pool"))];
                    if n % 8 == 0 {
                        // Fails after its first operation, which must not stay.
                        ops.push(notes.put(note("taken", "").mode(PutMode::Insert)));
                    }
                    ops.push(notes.put(note(&format!("second-{n}"), "pool")));
                    (n, notes.commit(ops))
                })
            })
            .collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    for (n, outcome) in &outcomes {
        let there = ["first", "second"].map(|part| {
            let id = format!("{part}-{n}");
            notes.load(&id, Include::default()).unwrap().is_some()
        });
        match outcome {
            Ok(committed) => {
                assert!(n % 8 != 0 && there == [true, true], "{n}");
                assert!(committed.token > Token::at(1));
            }
            Err(error) => {
                assert!(n % 8 == 0 && there == [false, false], "{n}");
                assert_eq!(error.kind(), ErrorKind::AlreadyExists);
            }
        }
    }
    assert_eq!(notes.count(notes.target()), 1 + 2 * 56);
    assert_eq!(
        notes.matching(notes.target(), any(&["pool"])).hits.len(),
        10
    );
}

#[test]
fn of_many_inserts_of_one_id_one_wins() {
    let notes = Notes::temporary();
    let wins = thread::scope(|scope| {
        let threads: Vec<_> = (0..32)
            .map(|n| {
                let notes = &notes;
                let op = notes.put(note("a", &n.to_string()).mode(PutMode::Insert));
                scope.spawn(move || notes.commit(vec![op]).is_ok())
            })
            .collect();
        let won = threads.into_iter().map(|t| t.join().unwrap());
        won.filter(|won| *won).count()
    });
    assert_eq!(wins, 1);
}

#[test]
fn a_full_database_fails_the_unit_and_the_store_goes_on() {
    let folder = Folder::new();
    let sqlite = Sqlite::file(folder.file()).max_bytes(1 << 20);
    let notes = Notes::open(sqlite);
    notes.store([note("a", "pool")]);
    let fits = notes.put(note("b", ""));
    let large = notes.put(note("c", &"word ".repeat(400_000)));
    let refused = notes.commit(vec![fits, large]).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Storage);
    assert!(refused.to_string().contains("is full"), "{refused}");
    assert_eq!(notes.count(notes.target()), 1);
    notes.store([note("d", "pool")]);
    assert_eq!(notes.count(notes.target()), 2);
}
