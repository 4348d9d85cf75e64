//! What happens while another connection holds the lock that writing needs.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Waker};
use std::time::Duration;

use ermine_core::{Committed, Error, ErrorKind, Include, Result, Storage, Unit};
use ermine_sqlite::Sqlite;
use rusqlite::Connection;

use crate::support::{Folder, Notes, block_on, note};

fn lock(folder: &Folder) -> Connection {
    let other = folder.plain();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    other
}

type Commit<'a> = Pin<Box<dyn Future<Output = Result<Committed>> + 'a>>;

/// A commit that is in the writer's queue.
fn queued<'a>(notes: &'a Notes, unit: &'a Unit) -> Commit<'a> {
    let mut commit: Commit<'a> = Box::pin(notes.engine.commit(unit));
    let pending = commit
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()));
    assert!(pending.is_pending());
    commit
}

fn unit(notes: &Notes, id: &str) -> Unit {
    Unit {
        ops: vec![notes.put(note(id, "pool"))],
    }
}

/// Until the writer has taken what is queued, and waits for the lock.
fn let_it_be_taken() {
    std::thread::sleep(Duration::from_millis(100));
}

#[test]
fn a_write_that_meets_a_lock_for_too_long_is_busy_and_can_be_tried_again() {
    let folder = Folder::new();
    let notes = Notes::open(Sqlite::file(folder.file()).busy_timeout(Duration::ZERO));
    let other = lock(&folder);
    let refused = notes
        .commit(vec![notes.put(note("a", "pool"))])
        .unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Busy);
    assert!(refused.is_retryable());
    // Reading waits for nobody.
    assert_eq!(notes.count(notes.target()), 0);
    other.execute_batch("ROLLBACK").unwrap();
    notes.store([note("a", "pool")]);
    assert_eq!(notes.count(notes.target()), 1);
}

#[test]
fn the_longest_wait_there_is_waits_and_does_not_overflow() {
    let folder = Folder::new();
    let notes = Notes::open(Sqlite::file(folder.file()).busy_timeout(Duration::MAX));
    let other = lock(&folder);
    let unit = unit(&notes, "a");
    let commit = queued(&notes, &unit);
    let_it_be_taken();
    other.execute_batch("ROLLBACK").unwrap();
    block_on(commit).unwrap();
    assert_eq!(notes.count(notes.target()), 1);
}

#[test]
fn what_is_queued_meanwhile_is_committed_together() {
    let folder = Folder::new();
    let notes = Notes::file(&folder.file());
    let other = lock(&folder);
    let units: Vec<Unit> = (0..20).map(|n| unit(&notes, &n.to_string())).collect();
    let commits: Vec<_> = units.iter().map(|unit| queued(&notes, unit)).collect();
    other.execute_batch("COMMIT").unwrap();
    let mut tokens: Vec<_> = commits
        .into_iter()
        .map(|commit| block_on(commit).unwrap().token)
        .collect();
    tokens.dedup();
    // Those that the writer took before it met the lock, and all the others.
    assert!(tokens.len() <= 2, "{tokens:?}");
    assert_eq!(notes.count(notes.target()), 20);
}

#[test]
fn a_unit_that_was_not_taken_is_withdrawn_and_a_taken_one_completes() {
    let folder = Folder::new();
    let notes = Notes::file(&folder.file());
    let other = lock(&folder);
    let (taken, waiting) = (unit(&notes, "taken"), unit(&notes, "waiting"));
    let first = queued(&notes, &taken);
    let_it_be_taken();
    drop(queued(&notes, &waiting));
    drop(first);
    other.execute_batch("COMMIT").unwrap();
    notes.store([note("last", "pool")]);
    let there =
        ["taken", "waiting"].map(|id| notes.load(id, Include::default()).unwrap().is_some());
    assert_eq!(there, [true, false]);
}

#[test]
fn closing_writes_what_was_taken_and_what_waits() {
    let folder = Folder::new();
    let notes = Notes::file(&folder.file());
    let other = lock(&folder);
    let (first, second) = (unit(&notes, "first"), unit(&notes, "second"));
    std::thread::scope(|scope| {
        let commits = [&first, &second].map(|unit| {
            let notes = notes.clone();
            scope.spawn(move || block_on(notes.engine.commit(unit)).map_err(|e: Error| e.kind()))
        });
        let_it_be_taken();
        other.execute_batch("COMMIT").unwrap();
        drop(notes);
        for commit in commits {
            assert!(commit.join().unwrap().is_ok());
        }
    });
    assert_eq!(
        Notes::file(&folder.file()).searches("pool", [1.0, 0.0])[1].len(),
        2
    );
}
