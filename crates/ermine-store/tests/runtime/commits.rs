//! Units of work: what is reported, discarded, kept and never replayed (rules D1, D2).

use ermine_core::ErrorKind;
use ermine_store::Store;

use crate::documents::{Note, Page, Point};
use crate::spy::watched;
use crate::{refused, wait};

#[test]
fn nothing_is_visible_before_commit_and_dropping_discards() {
    let w = watched();
    let mut session = w.store.session("a");
    session.store(&Note::new(1, "text"));
    assert_eq!(session.pending(), 1);
    assert_eq!(wait(session.load::<Note>(1)).unwrap(), None);
    drop(session);
    assert_eq!(wait(w.store.reader("a").load::<Note>(1)).unwrap(), None);
    assert_eq!(w.spy.commits(), 0);
}

#[test]
fn an_empty_commit_does_nothing_and_a_second_one_does_not_replay() {
    let w = watched();
    let mut session = w.store.session("a");
    let empty = wait(session.commit()).unwrap();
    assert_eq!(w.spy.commits(), 0);
    // Whatever has been committed, a read that asks for this token is answered.
    wait(session.query::<Note>().at_least(empty)).unwrap();
    session.insert(&Note::new(1, "text"));
    let token = wait(session.commit()).unwrap();
    assert_eq!(wait(session.commit()).unwrap(), token);
    assert_eq!(w.spy.commits(), 1);
}

#[test]
fn the_first_mistake_is_reported_with_its_document_and_nothing_is_written() {
    let w = watched();
    let mut session = w.store.session_without_tenant();
    session.store(&Point::new("good", [1.0, 2.0]));
    session.store(&Point::new("first", [f32::NAN, 2.0]));
    session.store(&Point {
        colour: [1.0].into(),
        ..Point::new("second", [1.0, 2.0])
    });
    let message = refused(wait(session.commit()), ErrorKind::InvalidVector);
    assert!(
        message.contains("document first") && message.contains("`place`"),
        "{message}"
    );
    assert_eq!((w.spy.commits(), session.pending()), (0, 0));
    session.store(&Point::new("good", [1.0, 2.0]));
    wait(session.commit()).unwrap();
    assert!(wait(session.load::<Point>("good")).unwrap().is_some());
}

#[test]
fn the_zero_vector_under_cosine_and_a_nul_are_refused_by_name() {
    let w = watched();
    let mut session = w.store.session_without_tenant();
    session.store(&Point {
        colour: [0.0; 3].into(),
        ..Point::new("p", [0.0, 0.0])
    });
    let message = refused(wait(session.commit()), ErrorKind::InvalidVector);
    assert!(
        message.contains("document p") && message.contains("`colour`"),
        "{message}"
    );
    session.store(&Page::new(9, "a\0b"));
    let message = refused(wait(session.commit()), ErrorKind::InvalidValue);
    assert!(
        message.contains("document 9") && message.contains("`text`"),
        "{message}"
    );
}

#[test]
fn a_refused_unit_is_discarded_and_a_busy_one_is_kept() {
    let w = watched().with_notes([Note::new(1, "text")]);
    let mut session = w.store.session("a");
    session.store(&Note::new(2, "new"));
    session.insert(&Note::new(1, "text"));
    refused(wait(session.commit()), ErrorKind::AlreadyExists);
    assert_eq!(session.pending(), 0);
    assert_eq!(wait(session.load::<Note>(2)).unwrap(), None);

    session.store(&Note::new(2, "new"));
    w.spy.fail([ErrorKind::Busy]);
    refused(wait(session.commit()), ErrorKind::Busy);
    assert_eq!(session.pending(), 1);
    wait(session.commit()).unwrap();
    assert!(wait(session.load::<Note>(2)).unwrap().is_some());
    // An insert keeps nothing, so its text was embedded too.
    assert_eq!(w.provider.texts(), 3, "not again for the retry");
}

#[test]
fn operations_run_in_the_order_given() {
    let w = watched();
    let mut session = w.store.session("a");
    session.insert(&Note::new(1, "one"));
    session.update(&Note::new(1, "two"));
    session.delete::<Note>(1);
    session.store(&Note::new(1, "three"));
    session.store(&Note::new(2, "other"));
    session.delete_where::<Note>(Note::ID.eq(2));
    wait(session.commit()).unwrap();
    let notes = wait(session.query::<Note>()).unwrap();
    assert_eq!(
        notes.iter().map(|n| n.body.as_str()).collect::<Vec<_>>(),
        ["three"]
    );
    session.delete::<Note>(1);
    session.update(&Note::new(1, "four"));
    refused(wait(session.commit()), ErrorKind::Missing);
}

#[test]
fn an_undeclared_type_and_another_stores_handle_are_refused_at_commit() {
    let w = watched();
    let narrow = wait(Store::builder(w.spy.engine()).document::<Point>().open()).unwrap();
    let mut session = narrow.session("a");
    session.store(&Note::new(1, "text"));
    let message = refused(wait(session.commit()), ErrorKind::UnknownCollection);
    assert!(message.contains("Note"), "{message}");
    let notes = w.store.collection::<Note>().unwrap();
    session.store_in(&notes, &Note::new(1, "text"));
    let message = refused(wait(session.commit()), ErrorKind::UnknownCollection);
    assert!(message.contains("another store"), "{message}");
    refused(narrow.dynamic("notes"), ErrorKind::UnknownCollection);
}
