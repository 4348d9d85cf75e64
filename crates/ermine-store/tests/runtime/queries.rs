//! Queries without a ranking, and loads (rules D4, D8, D10, V12).

use ermine_core::{Direction, DynamicRecord, Embedding, ErrorKind, Expr, Filter, Id, Token};
use ermine_store::SortKey;

use crate::documents::{Note, Point};
use crate::spy::{Watched, watched};
use crate::{refused, wait};

fn notes() -> Watched {
    watched().with_notes([
        Note::scoped(3, "x", "three"),
        Note::scoped(1, "y", "one"),
        Note::scoped(2, "x", "two"),
    ])
}

fn ids(notes: &[Note]) -> Vec<i64> {
    notes.iter().map(|note| note.id).collect()
}

#[test]
fn documents_come_by_filter_order_offset_and_limit() {
    let w = notes();
    let reader = w.store.reader("a");
    let found = wait(reader.query::<Note>()).unwrap();
    assert_eq!(ids(&found), [1, 2, 3]);
    let by_scope = || {
        reader
            .query::<Note>()
            .order_by(Note::SCOPE, Direction::Descending)
    };
    let found = wait(by_scope().order_by(SortKey::named("id"), Direction::Descending));
    assert_eq!(ids(&found.unwrap()), [1, 3, 2]);
    let found = wait(by_scope().offset(1).limit(1)).unwrap();
    assert_eq!(ids(&found), [2]);
    let query = || reader.query::<Note>().filter(Note::SCOPE.eq("x"));
    let found = wait(query().filter(Note::ID.gt(2))).unwrap();
    assert_eq!(ids(&found), [3]);
    assert_eq!(wait(query().count()).unwrap(), 2);
    assert_eq!(wait(query().offset(1).count()).unwrap(), 1);
    assert_eq!(wait(query().limit(1).count()).unwrap(), 1);
    assert!(wait(query().exists()).unwrap());
    assert!(!wait(query().offset(2).exists()).unwrap());
    assert!(!wait(query().limit(0).exists()).unwrap());
    let unknown = reader
        .query::<Note>()
        .order_by(SortKey::named("body"), Direction::Ascending);
    refused(wait(unknown), ErrorKind::NotIndexed);
}

#[test]
fn soft_deleted_documents_are_shown_when_asked_for() {
    let w = notes();
    let mut session = w.store.session("a");
    session.delete::<Note>(2);
    wait(session.commit()).unwrap();
    assert_eq!(wait(session.load::<Note>(2)).unwrap(), None);
    let found = |query: ermine_store::Query<Note>| ids(&wait(query).unwrap());
    assert_eq!(found(session.query::<Note>()), [1, 3]);
    assert_eq!(found(session.query::<Note>().deleted()), [2]);
    assert_eq!(
        found(session.query::<Note>().including_deleted()),
        [1, 2, 3]
    );
}

#[test]
fn loads_bring_vectors_and_queries_bring_them_when_asked() {
    let w = notes();
    let reader = w.store.reader("a");
    let loaded = wait(reader.load_many::<Note>([3, 9, 1])).unwrap();
    assert_eq!(ids(&loaded), [3, 1]);
    assert!(loaded.iter().all(|note| note.embedding.vector().is_some()));
    let found = wait(reader.query::<Note>().limit(1)).unwrap();
    assert_eq!(found[0].embedding, Embedding::NotLoaded);
    let found = wait(reader.query::<Note>().limit(1).with_vectors()).unwrap();
    assert_eq!(found[0].embedding.vector(), loaded[1].embedding.vector());
}

#[test]
fn a_part_of_very_many_documents_never_passes_for_all_of_them() {
    let w = watched();
    let mut session = w.store.session_without_tenant();
    for n in 0..10_001 {
        session.store(&Point::new(&format!("{n:05}"), [1.0, 2.0]));
    }
    wait(session.commit()).unwrap();
    let message = refused(wait(session.query::<Point>()), ErrorKind::InvalidOption);
    assert!(
        message.contains("10001") && message.contains("10000"),
        "{message}"
    );
    let rest = wait(session.query::<Point>().offset(1)).unwrap();
    assert_eq!(rest.len(), 10_000);
    let first = wait(session.query::<Point>().limit(10_000)).unwrap();
    assert_eq!(first.len(), 10_000);
}

#[test]
fn a_body_that_does_not_deserialise_is_an_error_that_names_its_id() {
    let w = notes();
    let tenant = ermine_core::TenantId::new("a").unwrap();
    let id = Id::I64(2);
    w.reference
        .overwrite_body("notes", Some(&tenant), &id, r#"{"id": 2}"#)
        .unwrap();
    let reader = w.store.reader("a");
    let message = refused(wait(reader.load::<Note>(2)), ErrorKind::Body);
    assert!(message.contains("document 2"), "{message}");
    refused(wait(reader.query::<Note>()), ErrorKind::Body);
    refused(
        wait(reader.search::<Note>().matching("two")),
        ErrorKind::Body,
    );
    assert!(wait(reader.load::<Note>(1)).unwrap().is_some());
}

#[test]
fn a_token_that_no_commit_returned_is_a_timeout() {
    let w = notes();
    let reader = w.store.reader("a");
    let query = reader.query::<Note>().at_least(Token::at(99));
    refused(wait(query), ErrorKind::Timeout);
    refused(
        wait(
            reader
                .search::<Note>()
                .matching("two")
                .at_least(Token::at(99)),
        ),
        ErrorKind::Timeout,
    );
}

#[test]
fn documents_of_run_time_types_take_the_same_path() {
    let w = notes();
    let notes = w.store.dynamic("notes").unwrap();
    let mut session = w.store.session("a");
    session.store_in(
        &notes,
        &DynamicRecord::new(4_i64)
            .with("scope", "z")
            .with("body", "four"),
    );
    wait(session.commit()).unwrap();
    assert_eq!(w.provider.texts(), 1);
    let record = wait(session.load_in(&notes, 4_i64)).unwrap().unwrap();
    assert_eq!(record.get("scope").unwrap(), "z");
    let filter = Filter::from_expr(Expr::In {
        field: "scope".to_owned(),
        values: vec![ermine_core::Value::Text("z".to_owned())],
    });
    let found = wait(session.query_in(&notes).filter(filter)).unwrap();
    assert_eq!(found.len(), 1);
    let wrong = DynamicRecord::new(5_i64).with("scope", 7);
    session.store_in(&notes, &wrong);
    let message = refused(wait(session.commit()), ErrorKind::TypeMismatch);
    assert!(
        message.contains("document 5") && message.contains("`scope`"),
        "{message}"
    );
    session.delete_in(&notes, "4");
    let message = refused(wait(session.commit()), ErrorKind::TypeMismatch);
    assert!(
        message.contains("text") && message.contains("i64"),
        "{message}"
    );
}

#[test]
fn an_id_of_another_type_is_refused_and_not_merely_missing() {
    let w = notes();
    let notes = w.store.dynamic("notes").unwrap();
    let reader = w.store.reader("a");
    let reads = w.spy.reads();
    let message = refused(wait(reader.load_in(&notes, "1")), ErrorKind::TypeMismatch);
    assert!(
        message.contains("text") && message.contains("i64"),
        "{message}"
    );
    assert_eq!(w.spy.reads(), reads);
}
