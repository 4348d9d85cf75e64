use ermine_core::{
    Answer, Compare, Direction, Embedding, ErrorKind, Expr, Include, OrderBy, Page, Query, Read,
    Storage, Token, Value, Vector,
};

use crate::support::{Notes, any, at_least, block_on, note, with_vectors};

#[test]
fn a_document_comes_back_as_it_was_stored() {
    let notes = Notes::temporary();
    notes.store([note("a", "pool").vector([1.0, -2.0])]);
    let record = notes.load("a", with_vectors()).unwrap().unwrap();
    assert_eq!(record.body, r#"{"body":"pool"}"#);
    assert_eq!(record.tenant.as_ref().unwrap().as_str(), "acme");
    assert_eq!(
        record.embeddings,
        [Embedding::Present(Vector::from([1.0, -2.0]))]
    );
    let bare = notes.load("a", Include::default()).unwrap().unwrap();
    assert_eq!(bare.embeddings, [Embedding::NotLoaded]);
    assert_eq!(notes.load("b", Include::default()).unwrap(), None);
}

#[test]
fn queries_filter_order_and_page() {
    let notes = Notes::temporary();
    notes.store([
        note("d", "").year(1960).tags(&["db", "db"]),
        note("c", "").tags(&[]),
        note("b", "").year(1999).tags(&["db", "rust"]),
        note("a", "").year(1960),
    ]);
    let ids = |filter, direction, page| {
        let read = Read::Query(Query {
            target: notes.filtered(filter),
            order: vec![OrderBy {
                field: "year".into(),
                direction,
            }],
            page,
            include: Include::default(),
        });
        match block_on(notes.engine.read(&[read])).unwrap().remove(0) {
            Answer::Records(records) => records
                .iter()
                .map(|r| r.id.to_string())
                .collect::<Vec<_>>()
                .concat(),
            other => panic!("{other:?}"),
        }
    };
    let all = || Expr::Constant(true);
    assert_eq!(ids(all(), Direction::Ascending, Page::first(10)), "cadb");
    assert_eq!(ids(all(), Direction::Descending, Page::first(10)), "badc");
    let middle = Page {
        limit: 2,
        offset: 1,
    };
    assert_eq!(ids(all(), Direction::Ascending, middle), "ad");
    let tagged = Expr::ContainsAll {
        field: "tags".into(),
        values: vec![Value::Text("db".into())],
    };
    assert_eq!(
        ids(tagged.clone(), Direction::Ascending, Page::first(10)),
        "db"
    );
    let old = Expr::Compare {
        field: "year".into(),
        op: Compare::Lt,
        value: Value::I64(1990),
    };
    let rest = Expr::Not(Box::new(tagged.and(old)));
    assert_eq!(notes.count(notes.filtered(rest)), 3);
}

#[test]
fn lists_are_replaced_with_their_document() {
    let notes = Notes::temporary();
    notes.store([note("a", "").tags(&["old", "kept"])]);
    notes.store([note("a", "").tags(&["kept", "new"])]);
    let holding = |tag: &str| {
        notes.count(notes.filtered(Expr::ContainsAny {
            field: "tags".into(),
            values: vec![Value::Text(tag.into())],
        }))
    };
    assert_eq!([holding("old"), holding("kept"), holding("new")], [0, 1, 1]);
}

#[test]
fn a_read_after_a_commit_sees_it_and_one_before_it_says_so() {
    let notes = Notes::temporary();
    let token = notes.store([note("a", "pool")]).token;
    assert!(notes.load("a", at_least(token)).unwrap().is_some());
    let ahead = Token::at(token.commit() + 1);
    let refused = notes.load("a", at_least(ahead)).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Timeout);
    let said = refused.to_string();
    assert!(
        said.contains(&token.to_string()) && said.contains(&ahead.to_string()),
        "{said}"
    );
}

#[test]
fn exclusions_hold_in_both_legs() {
    let notes = Notes::temporary();
    notes.store([
        note("a", "pool rust").vector([1.0, 0.0]),
        note("b", "pool").vector([1.0, 0.1]),
        note("c", "rust").vector([1.0, 0.2]),
        note("d", "").vector([1.0, 0.3]),
    ]);
    let mut query = any(&["pool"]);
    query.excluded = vec![vec!["rust".into()]];
    let answer = notes.hybrid(notes.target(), query, [1.0, 0.0]);
    let found: Vec<_> = answer
        .hits
        .iter()
        .map(|h| h.record.id.to_string())
        .collect();
    assert_eq!(found, ["b", "d"]);
    assert_eq!(answer.outcome.legs[1].returned, 2);
}
