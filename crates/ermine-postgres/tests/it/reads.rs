//! Documents written and read back, by every way there is.

use ermine_core::{Compare, DeleteMode, ErrorKind, Expr, PutMode, Token, Value};

use crate::support::{Notes, Place, any, at_least, note, with_vectors};

#[test]
fn a_document_is_found_by_every_search_and_gone_when_deleted() {
    let place = Place::new();
    let notes = Notes::open(place.postgres());
    notes.store([
        note("a", "pool timeouts").vector([1.0, 0.0]).tags(&["db"]),
        note("b", "moon landing").vector([0.0, 1.0]),
        note("a", "pool").vector([1.0, 0.0]).of("other"),
    ]);
    assert_eq!(
        notes.searches("pool", [1.0, 0.1]),
        [vec!["a", "b"], vec!["a"], vec!["a", "b"]]
    );
    let tagged = Expr::ContainsAny {
        field: "tags".into(),
        values: vec![Value::Text("db".into())],
    };
    assert_eq!(notes.count(notes.filtered(tagged)), 1);
    let loaded = notes.load("a", with_vectors()).unwrap().unwrap();
    assert_eq!(loaded.embeddings.len(), 1);
    assert!(loaded.embeddings[0].vector().is_some());
    notes
        .commit(vec![notes.delete("a", DeleteMode::Declared)])
        .unwrap();
    assert_eq!(
        notes.searches("pool", [1.0, 0.1]),
        [vec!["b"], vec![], vec!["b"]]
    );
}

#[test]
fn operations_run_in_order_all_or_none() {
    let place = Place::new();
    let notes = Notes::open(place.postgres());
    notes
        .commit(vec![
            notes.put(note("a", "one")),
            notes.delete("a", DeleteMode::Hard),
            notes.put(note("a", "two").mode(PutMode::Insert)),
            notes.put(note("a", "three").mode(PutMode::Update)),
        ])
        .unwrap();
    assert_eq!(
        notes.matching(notes.target(), any(&["three"])).hits.len(),
        1
    );
    assert!(
        notes
            .matching(notes.target(), any(&["one", "two"]))
            .hits
            .is_empty()
    );
    let refused = notes.commit(vec![
        notes.put(note("b", "new")),
        notes.put(note("a", "four").mode(PutMode::Insert)),
    ]);
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::AlreadyExists);
    assert_eq!(notes.count(notes.target()), 1);
}

#[test]
fn a_token_is_met_at_once_and_one_from_elsewhere_is_not() {
    let place = Place::new();
    let notes = Notes::open(place.postgres());
    let committed = notes.store([note("a", "pool")]);
    assert!(
        notes
            .load("a", at_least(committed.token))
            .unwrap()
            .is_some()
    );
    for elsewhere in [committed.token.commit() + 1_000_000, u64::MAX] {
        let refused = notes.load("a", at_least(Token::at(elsewhere)));
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::Timeout);
    }
}

#[test]
fn an_operand_with_u0000_is_compared_as_what_precedes_it() {
    let place = Place::new();
    let notes = Notes::open(place.postgres());
    notes.store([note("a", ""), note("ab", ""), note("b", "")]);
    let compare = |op, value: &str| {
        notes.count(notes.filtered(Expr::Compare {
            field: "id".into(),
            op,
            value: Value::Text(value.into()),
        }))
    };
    for (op, count) in [
        (Compare::Eq, 0),
        (Compare::Ne, 3),
        (Compare::Lt, 1),
        (Compare::Le, 1),
        (Compare::Gt, 2),
        (Compare::Ge, 2),
    ] {
        assert_eq!(compare(op, "a\0b"), count, "{op:?}");
    }
    assert_eq!(notes.load("a\0", Default::default()).unwrap(), None);
}
