//! Page folds, hashes and the call.

use ermine_core::{
    BatchLimits, EmbeddingPlan, ErrorKind, RowKey, Vector, VectorWrite, content_hash,
};
use uuid::Uuid;

use crate::memory::{
    Log, MemoryEvent, erased, memories, notes, recorded, revised, said_nothing, tenant, wrote,
};
use crate::provider::{Noting, now, vector_of};
use crate::table::Table;

#[test]
fn the_last_content_of_a_row_wins_deletes_included() {
    let pages: [(Vec<_>, &[&str]); 7] = [
        (vec![wrote(1, "a"), erased(1)], &[]),
        (vec![erased(1), wrote(1, "b")], &["b"]),
        (vec![wrote(1, "a"), wrote(1, "b")], &["b"]),
        (vec![wrote(1, "a"), said_nothing(1)], &["a"]),
        (vec![wrote(1, "a"), wrote(1, "")], &[]),
        (vec![wrote(1, ""), wrote(1, "b")], &["b"]),
        (vec![said_nothing(1)], &[]),
    ];
    for (events, texts) in pages {
        let mut log = Log::default();
        for event in &events {
            log.push(9, event);
        }
        let (mut table, provider) = (Table::default(), Noting::proper());
        table.apply(&notes(), &log, &log.0, &provider).unwrap();
        let expected: Vec<_> = texts.iter().map(|&text| (1, text)).collect();
        assert_eq!(table.texts(), expected, "{events:?}");
        assert_eq!(provider.texts(), texts, "{events:?}");
    }
}

#[test]
fn an_empty_text_removes_a_row_and_an_event_that_says_nothing_does_not() {
    let mut log = Log::default();
    log.push(9, &wrote(1, "a")).push(9, &wrote(2, "b"));
    log.push(9, &wrote(1, "")).push(9, &said_nothing(2));
    let (mut table, provider) = (Table::default(), Noting::proper());
    table.apply(&notes(), &log, &log.0[..2], &provider).unwrap();
    assert_eq!(table.texts(), [(1, "a"), (2, "b")]);
    table.apply(&notes(), &log, &log.0[2..], &provider).unwrap();
    assert_eq!(table.texts(), [(2, "b")]);
    assert_eq!(provider.calls().len(), 1);
}

#[test]
fn a_partial_update_embeds_the_whole_text_once() {
    let mut log = Log::default();
    log.push(1, &recorded("Pool", "timeouts", &["db"]));
    log.push(1, &revised(None, Some("new body")));
    log.push(1, &revised(None, None));
    log.push(1, &MemoryEvent::Forgotten);
    let (mut table, provider) = (Table::default(), Noting::proper());
    table
        .apply(&memories(), &log, &log.0[..2], &provider)
        .unwrap();
    assert_eq!(table.texts(), [(1, "Pool\nnew body\ndb")]);
    assert_eq!(provider.texts(), ["Pool\nnew body\ndb"]);
    // An event that changes nothing the text mentions makes no call.
    table
        .apply(&memories(), &log, &log.0[2..3], &provider)
        .unwrap();
    assert_eq!(provider.calls().len(), 1);
    table
        .apply(&memories(), &log, &log.0[3..], &provider)
        .unwrap();
    assert_eq!(table, Table::default());
    assert_eq!(provider.calls().len(), 1);
}

#[test]
fn the_hash_is_of_the_text_as_it_is() {
    let mut log = Log::default();
    log.push(9, &wrote(1, "alpha"));
    log.push(9, &wrote(2, "caf\u{e9}"));
    log.push(9, &wrote(3, "cafe\u{301}"));
    let (mut table, provider) = (Table::default(), Noting::proper());
    table.apply(&notes(), &log, &log.0, &provider).unwrap();
    let hashes: Vec<&str> = table.0.values().map(|row| row.hash.as_str()).collect();
    assert_eq!(
        hashes[0],
        "8ed3f6ad685b959ead7022518e1af76cd816f8e8ec7ccdda1ed4018e8f2223f8"
    );
    assert!(hashes[1].starts_with("850f7dc4"));
    assert!(hashes[2].starts_with("81ef060b"));
    assert_eq!(provider.texts().len(), 3);
}

#[test]
fn what_did_not_change_costs_no_call_and_what_was_lost_costs_one() {
    let mut log = Log::default();
    for id in 0..1000 {
        log.push(9, &wrote(id, &format!("text {id}")));
    }
    log.push(9, &wrote(1000, "? nothing the model knows"));
    let (mut table, provider) = (Table::default(), Noting::proper());
    table.apply(&notes(), &log, &log.0, &provider).unwrap();
    let complete = table.clone();

    let again = Noting::proper();
    table.apply(&notes(), &log, &log.0, &again).unwrap();
    assert_eq!(again.calls(), Vec::<Vec<String>>::new());

    let lost = RowKey {
        tenant: None,
        id: Uuid::from_u128(500),
    };
    table.0.remove(&lost);
    table.apply(&notes(), &log, &log.0, &again).unwrap();
    assert_eq!(again.calls(), [["text 500"]]);
    assert_eq!(table, complete);
}

#[test]
fn a_text_that_cannot_be_represented_is_an_answer() {
    let mut log = Log::default();
    log.push(9, &wrote(1, "? unknown"))
        .push(9, &wrote(2, "known"));
    let map = notes();
    let plan = EmbeddingPlan::build(&map, &log.0).unwrap();
    let provider = Noting::proper();
    let rows = now(plan.resolve(&provider, async |keys| Ok(vec![None; keys.len()]))).unwrap();
    let [unknown, known] = &rows.writes[..] else {
        panic!("{rows:?}")
    };
    let hash = |text| Some(content_hash(text));
    assert_eq!(
        unknown.vector_write(),
        VectorWrite::Clear {
            hash: hash("? unknown")
        }
    );
    assert_eq!(
        known.vector_write(),
        VectorWrite::Set {
            vector: vector_of("known").unwrap(),
            hash: hash("known"),
        }
    );
}

#[test]
fn rows_are_of_their_events_tenants() {
    let mut log = Log::default();
    log.push_of("a", 9, &wrote(1, "of a"));
    log.push_of("b", 9, &wrote(1, "of b"));
    log.push_of("", 9, &wrote(1, "of none"));
    log.push_of("b", 9, &erased(1));
    log.push_of("a", 1, &recorded("a", "a", &[]));
    log.push_of("b", 1, &recorded("b", "b", &[]));
    let (mut table, provider) = (Table::default(), Noting::proper());
    table.apply(&notes(), &log, &log.0, &provider).unwrap();
    let rows: Vec<_> = table
        .0
        .iter()
        .map(|(key, row)| (key.tenant.clone(), row.text.as_str()))
        .collect();
    assert_eq!(rows, [(tenant(""), "of none"), (tenant("a"), "of a")]);

    let (mut table, provider) = (Table::default(), Noting::proper());
    table.apply(&memories(), &log, &log.0, &provider).unwrap();
    let tenants: Vec<_> = table.0.keys().map(|key| key.tenant.clone()).collect();
    assert_eq!(tenants, [tenant("a"), tenant("b")]);
}

#[test]
fn a_provider_that_lies_changes_nothing() {
    let mut log = Log::default();
    for (id, text) in [(1, "cat"), (2, "dog"), (3, "bird")] {
        log.push(9, &wrote(id, text));
    }
    for provider in [
        Noting::answering(|_| Ok(vec![Some(Vector::from([1.0, 2.0])); 2])),
        Noting::answering(|_| Ok(vec![Some(Vector::from([1.0, 2.0])); 4])),
        Noting::answering(|_| Ok(vec![Some(Vector::from([1.0])); 3])),
        Noting::answering(|_| Ok(vec![Some(Vector::from([1.0, f32::NAN])); 3])),
        Noting::answering(|_| Ok(vec![Some(Vector::from([1.0, f32::INFINITY])); 3])),
    ] {
        let mut table = Table::default();
        let error = table.apply(&notes(), &log, &log.0, &provider).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Provider);
        assert_eq!(table, Table::default());
        assert_eq!(provider.calls().len(), 1);
    }
}

#[test]
fn a_page_is_one_call_where_it_fits_and_none_where_nothing_is_embedded() {
    let mut log = Log::default();
    // In the order of the events, and each text once.
    for (id, text) in [(3, "aaaa"), (1, "bbbb"), (2, "cccc"), (4, "aaaa")] {
        log.push(9, &wrote(id, text));
    }
    let (mut table, provider) = (Table::default(), Noting::proper());
    table.apply(&notes(), &log, &log.0, &provider).unwrap();
    assert_eq!(provider.calls(), [["aaaa", "bbbb", "cccc"]]);
    assert_eq!(table.0.len(), 4);

    let limited = Noting::proper().with_limits(BatchLimits {
        texts: 9,
        bytes: 10,
        ..BatchLimits::default()
    });
    let mut table = Table::default();
    table.apply(&notes(), &log, &log.0, &limited).unwrap();
    assert_eq!(limited.calls(), [vec!["aaaa", "bbbb"], vec!["cccc"]]);

    let mut nothing = Log::default();
    nothing.push(9, &erased(1)).push(1, &recorded("", "", &[]));
    let map = notes();
    let plan = EmbeddingPlan::build(&map, &nothing.0).unwrap();
    let silent = Noting::proper();
    let rows = now(plan.resolve(&silent, async |_| panic!("there is no text"))).unwrap();
    assert_eq!(rows.deletions.len(), 1);
    assert!(silent.calls().is_empty());
}
