//! The plan taken step by step, as a runtime does.

use ermine_core::{
    EmbeddingPlan, ErrorKind, Position, Role, StoredVectorState, content_hash, embed_checked,
};

use crate::memory::{Log, erased, notes, wrote};
use crate::provider::{Noting, now, vector_of};

fn log() -> Log {
    let mut log = Log::default();
    for (id, text) in [(1, "a"), (2, "poison"), (3, "b"), (4, "poison"), (5, "a")] {
        log.push(9, &wrote(id, text));
    }
    log.push(9, &wrote(6, "x")).push(9, &erased(6));
    log
}

#[test]
fn an_offending_text_is_set_aside_and_the_others_go_on() {
    let (log, map, provider) = (log(), notes(), Noting::proper());
    let plan = EmbeddingPlan::build(&map, &log.0).unwrap();
    let mut rows = plan.into_rows().unwrap();
    rows.compare(&vec![None; 5]).unwrap();
    let texts = rows.pending();
    let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
    assert_eq!(texts, ["a", "poison", "b"]);
    let from: Vec<_> = rows.waiting_for("a").map(|row| row.position).collect();
    assert_eq!(from, [Position::at(1), Position::at(9)]);

    let vectors = now(embed_checked(&provider, &["b", "a"], Role::Document)).unwrap();
    rows.place(&["b", "a"], vectors).unwrap();
    let early: Vec<_> = rows
        .take_writes()
        .into_iter()
        .map(|write| (write.row.key.id.as_u128(), write.vector))
        .collect();
    assert_eq!(
        early,
        [
            (1, vector_of("a")),
            (3, vector_of("b")),
            (5, vector_of("a"))
        ]
    );
    assert_eq!(rows.take_writes(), []);
    assert_eq!(
        rows.clone().finish().unwrap_err().kind(),
        ErrorKind::InvalidValue
    );

    let aside = rows.set_aside("poison");
    let aside: Vec<_> = aside.iter().map(|row| row.position).collect();
    assert_eq!(aside, [Position::at(3), Position::at(7)]);
    assert!(rows.pending().is_empty());
    let rest = rows.finish().unwrap();
    assert!(rest.writes.is_empty() && rest.unchanged.is_empty());
    assert_eq!(rest.deletions[0].id.as_u128(), 6);
}

#[test]
fn a_row_with_the_hash_of_its_text_is_unchanged_with_or_without_a_vector() {
    let (log, map) = (log(), notes());
    let plan = EmbeddingPlan::build(&map, &log.0).unwrap();
    let mut rows = plan.into_rows().unwrap();
    let state = |hash: Option<String>, present| Some(StoredVectorState { hash, present });
    rows.compare(&[
        state(Some(content_hash("a")), true),
        // The model could not represent it: an answer.
        state(Some(content_hash("poison")), false),
        state(Some(content_hash("older")), true),
        // Set by a caller, from no text.
        state(None, true),
        None,
    ])
    .unwrap();
    assert_eq!(rows.pending(), ["b".into(), "poison".into(), "a".into()]);
    now(rows.embed(&Noting::proper())).unwrap();
    let rows = rows.finish().unwrap();
    let id = |key: &ermine_core::RowKey<uuid::Uuid>| key.id.as_u128();
    let unchanged: Vec<_> = rows.unchanged.iter().map(|row| id(&row.key)).collect();
    assert_eq!(unchanged, [1, 2]);
    let written: Vec<_> = rows.writes.iter().map(|write| id(&write.row.key)).collect();
    assert_eq!(written, [3, 4, 5]);
}

#[test]
fn lists_of_other_lengths_are_refused_and_place_nothing() {
    let (log, map) = (log(), notes());
    let plan = EmbeddingPlan::build(&map, &log.0).unwrap();
    let mut rows = plan.into_rows().unwrap();
    assert!(rows.compare(&[None, None]).is_err());
    assert!(rows.place(&["a", "b"], vec![vector_of("a")]).is_err());
    assert_eq!(rows.pending().len(), 3);
}

#[test]
fn a_call_that_fails_places_nothing() {
    let (log, map) = (log(), notes());
    let plan = EmbeddingPlan::build(&map, &log.0).unwrap();
    let mut rows = plan.into_rows().unwrap();
    let provider = Noting::answering(|_| Ok(vec![]));
    assert!(now(rows.embed(&provider)).is_err());
    assert_eq!(rows.pending().len(), 3);
    // What the store reads may fail too.
    let plan = EmbeddingPlan::build(&map, &log.0).unwrap();
    let busy = || ermine_core::Error::new(ErrorKind::Busy, "busy");
    let result = now(plan.resolve(&provider, async |_| Err(busy())));
    assert_eq!(result.unwrap_err().kind(), ErrorKind::Busy);
}

#[test]
fn a_plan_and_what_becomes_of_it_move_between_threads() {
    fn sent<T: Send>(value: T) -> T {
        value
    }
    let (log, map, provider) = (log(), sent(notes()), Noting::proper());
    let plan = sent(EmbeddingPlan::build(&map, &log.0).unwrap());
    let resolved = sent(plan.resolve(&provider, async |keys| Ok(vec![None; keys.len()])));
    assert_eq!(sent(now(resolved).unwrap()).writes.len(), 5);
}
