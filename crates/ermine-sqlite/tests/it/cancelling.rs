use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use ermine_core::{Storage, Unit};

use crate::support::{Notes, block_on, note};

#[test]
fn dropped_calls_leave_the_store_as_good_as_before() {
    let notes = Notes::temporary();
    for n in 0..50 {
        let unit = Unit {
            ops: vec![notes.put(note(&n.to_string(), "pool"))],
        };
        let mut commit = Box::pin(notes.engine.commit(&unit));
        let mut context = Context::from_waker(Waker::noop());
        // Begun, and given up at once.
        let _ = commit.as_mut().poll(&mut context);
        drop(commit);
        let declarations = pin!(notes.engine.declarations());
        let _: Poll<_> = declarations.poll(&mut context);
    }
    notes.store([note("last", "pool")]);
    // What was taken before it was given up is written whole.
    let written = notes.matching(notes.target(), crate::support::any(&["pool"]));
    assert!(!written.hits.is_empty());
    assert_eq!(block_on(notes.engine.declarations()).unwrap().len(), 1);
}
