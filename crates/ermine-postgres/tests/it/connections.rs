//! Connections that die, and calls that are given up.

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Waker};
use std::time::Duration;

use ermine_core::{ErrorKind, Storage, Unit};

use crate::segments::{assert_sums_agree, wait_until};
use crate::support::{Notes, Place, block_on, note};

#[test]
fn a_killed_connection_is_replaced_and_nothing_is_noticed() {
    let place = Place::new();
    let notes = Notes::open(place.named());
    notes.store([note("a", "pool")]);
    for id in ["b", "c"] {
        assert!(place.terminate_the_stores_connections() > 0);
        assert!(notes.load("a", Default::default()).unwrap().is_some());
        assert!(place.terminate_the_stores_connections() > 0);
        notes.store([note(id, "pool")]);
    }
    assert_eq!(notes.count(notes.target()), 3);
}

#[test]
fn a_unit_whose_connection_dies_before_its_commit_is_written_on_another() {
    let place = Place::new();
    let notes = Notes::open(place.named());
    notes.store([note("a", "first")]);
    let blocker = place.plain();
    blocker.run("BEGIN; SELECT * FROM ermine_doc_notes FOR UPDATE");
    std::thread::scope(|scope| {
        let written = scope.spawn(|| notes.commit(vec![notes.put(note("a", "second"))]));
        let waiting = || {
            let sql = format!(
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = '{}' AND wait_event_type = 'Lock'",
                place.application()
            );
            place.plain().numbers(&sql)[0] > 0
        };
        wait_until("the writer waits for the lock", waiting);
        place.terminate_the_stores_connections();
        wait_until("it waits again", waiting);
        blocker.run("COMMIT");
        written.join().unwrap().unwrap();
    });
    assert_eq!(notes.searches("second", [1.0, 0.0])[1], ["a"]);
}

#[test]
fn a_call_given_up_leaves_no_statement_running_and_a_unit_taken_is_written() {
    let place = Place::new();
    let notes = Notes::open(place.named());
    notes.store([note("a", "first")]);
    let blocker = place.plain();
    blocker.run("BEGIN; LOCK TABLE ermine_doc_notes IN ACCESS EXCLUSIVE MODE");
    let active = || {
        let sql = format!(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = '{}' AND state = 'active'",
            place.application()
        );
        place.plain().numbers(&sql)[0]
    };
    let mut context = Context::from_waker(Waker::noop());
    {
        let read = ermine_core::Read::Count {
            target: notes.target(),
            include: Default::default(),
        };
        let reads = [read];
        let mut given_up = pin!(notes.engine.read(&reads));
        assert!(given_up.as_mut().poll(&mut context).is_pending());
        wait_until("the read waits", || active() == 1);
    }
    wait_until("the read is interrupted", || active() == 0);
    {
        let unit = Unit {
            ops: vec![notes.put(note("a", "second"))],
        };
        let mut given_up = pin!(notes.engine.commit(&unit));
        let mut poll = || assert!(given_up.as_mut().poll(&mut context).is_pending());
        poll();
        wait_until("the unit waits", || {
            poll();
            active() == 1
        });
    }
    blocker.run("COMMIT");
    wait_until("the unit is written", || {
        notes.searches("second", [1.0, 0.0])[1] == ["a"]
    });
}

#[test]
fn a_table_dropped_by_others_is_an_error_that_names_it() {
    let place = Place::new();
    let notes = Notes::open(place.postgres().connections(1));
    place.plain().run("DROP TABLE ermine_doc_notes CASCADE");
    let error = notes.load("a", Default::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Storage);
    assert!(error.to_string().contains("ermine_doc_notes"), "{error}");
    // The one connection is out of its transaction again.
    assert_eq!(block_on(notes.engine.declarations()).unwrap().len(), 1);
}

#[test]
fn writers_whose_connections_are_killed_leave_true_sums() {
    let place = Place::new();
    let notes = Notes::open(place.named());
    let writing = AtomicUsize::new(6);
    std::thread::scope(|scope| {
        for writer in 0..6 {
            let (notes, writing) = (&notes, &writing);
            scope.spawn(move || {
                for round in 0..40 {
                    let ids = (0..10).map(|at| format!("{}", (writer * 7 + round * 3 + at) % 150));
                    let ops =
                        ids.map(|id| notes.put(note(&id, "pool of words").vector([1.0, 2.0])));
                    let written = notes.commit(ops.collect());
                    // Nothing is told but that it is not known.
                    let unknown = ErrorKind::OutcomeUnknown;
                    assert!(written.is_ok() || written.is_err_and(|e| e.kind() == unknown));
                }
                writing.fetch_sub(1, Ordering::Relaxed);
            });
        }
        while writing.load(Ordering::Relaxed) > 0 && !std::thread::panicking() {
            std::thread::sleep(Duration::from_millis(30));
            place.plain().rows(&format!(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{}' ORDER BY random() LIMIT 2",
                place.application()
            ));
        }
    });
    assert_sums_agree(&place);
    let documents = place.plain().numbers(
        "SELECT count(*) FROM ermine_doc_notes AS d FULL JOIN \"ermine_vec_notes.embedding\" AS v ON v.doc = d.doc WHERE d.doc IS NULL OR v.doc IS NULL",
    );
    assert_eq!(documents, [0], "documents and vectors");
}
