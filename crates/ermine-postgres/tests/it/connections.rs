//! Connections that die, and calls that are given up.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};

use ermine_core::{ErrorKind, Storage, Unit};

use crate::segments::wait_until;
use crate::support::{Notes, Place, note};

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
fn a_dead_server_is_an_error_and_not_a_hang() {
    let place = Place::new();
    let notes = Notes::open(place.named());
    place.plain().run("DROP TABLE ermine_doc_notes CASCADE");
    let error = notes.load("a", Default::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Storage);
    assert!(error.to_string().contains("ermine_doc_notes"), "{error}");
    // The connection is as good as before.
    assert!(notes.engine.capabilities().store == "PostgreSQL");
}
