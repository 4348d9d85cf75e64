//! Content from aggregates.

use ermine_core::{
    Aggregate, Content, EmbeddingPlan, Envelope, Error, ErrorKind, Position, Result,
    VectorProjectionMap, by_stream,
};
use uuid::Uuid;

use crate::memory::{Log, Memory, MemoryEvent, memories, recorded, revised};
use crate::provider::{Noting, now};
use crate::table::Table;

fn log() -> Log {
    let mut log = Log::default();
    log.push(1, &recorded("one", "body", &[]));
    log.push(2, &recorded("two", "body", &[]));
    log.push(1, &revised(Some("uno"), None));
    log.push(1, &revised(None, Some("corpo")));
    log
}

#[test]
fn a_plan_needs_each_stream_once_at_the_last_trigger() {
    let (log, map) = (log(), memories());
    let plan = EmbeddingPlan::build(&map, &log.0[..3]).unwrap();
    let needed: Vec<_> = plan
        .aggregates()
        .into_iter()
        .map(|needed| (needed.key.id.as_u128(), needed.version, needed.position))
        .collect();
    let at = Position::at;
    assert_eq!(needed, [(1, 2, at(5)), (2, 1, at(3))]);
    let streams = plan.streams();
    assert_eq!(streams.len(), 2);
    assert_eq!(streams[0].version, 2);
    let range = streams[0].range();
    assert_eq!((range.from, range.to, range.until), (1, Some(2), None));
    assert_eq!(range.stream, Uuid::from_u128(1).into());
}

#[test]
fn the_text_is_the_aggregates_at_its_trigger_and_not_later() {
    let log = log();
    let (mut table, provider) = (Table::default(), Noting::proper());
    table
        .apply(&memories(), &log, &log.0[..3], &provider)
        .unwrap();
    assert_eq!(table.texts(), [(1, "uno\nbody\n"), (2, "two\nbody\n")]);
}

#[test]
fn a_snapshot_takes_the_place_of_a_fold() {
    let (log, map) = (log(), memories());
    let mut plan = EmbeddingPlan::build(&map, &log.0[..2]).unwrap();
    let needed = plan.aggregates();
    let memory = Memory {
        title: "snapshot".into(),
        body: "b".into(),
        tags: vec![],
    };
    plan.apply_aggregate(&needed[0], Some(&memory)).unwrap();
    plan.apply_aggregate::<Memory>(&needed[1], None).unwrap();
    assert!(plan.aggregates().is_empty());
    let rows = plan.into_rows().unwrap();
    assert_eq!(&*rows.pending()[0], "snapshot\nb\n");
    assert_eq!(rows.deletions()[0].id, Uuid::from_u128(2));
}

#[test]
fn a_snapshot_of_another_type_is_refused() {
    let (log, map) = (log(), memories());
    let mut plan = EmbeddingPlan::build(&map, &log.0[..1]).unwrap();
    let needed = plan.aggregates();
    let error = plan.apply_aggregate(&needed[0], Some(&5)).unwrap_err();
    assert_eq!(error.error.kind(), ErrorKind::TypeMismatch);
    assert_eq!(plan.aggregates(), needed);
}

#[test]
fn an_aggregate_that_ended_or_whose_stream_is_gone_removes_its_row() {
    let mut log = log();
    log.push(1, &MemoryEvent::Ended);
    let map = memories();
    let (mut table, provider) = (Table::default(), Noting::proper());
    table.apply(&map, &log, &log.0[..4], &provider).unwrap();
    assert_eq!(table.0.len(), 2);
    table.apply(&map, &log, &log.0[4..], &provider).unwrap();
    assert_eq!(table.texts(), [(2, "two\nbody\n")]);
    let gone = Log::default();
    table.apply(&map, &gone, &log.0[1..2], &provider).unwrap();
    assert_eq!(table, Table::default());
}

#[test]
fn a_plan_is_not_resolved_before_its_aggregates_are_applied() {
    let (log, map) = (log(), memories());
    let plan = EmbeddingPlan::build(&map, &log.0).unwrap();
    let provider = Noting::proper();
    let result = now(plan.resolve(&provider, async |_| panic!("nothing is read")));
    assert_eq!(result.unwrap_err().kind(), ErrorKind::InvalidValue);
    assert!(provider.calls().is_empty());
}

#[test]
fn a_fold_that_lacks_events_is_refused() {
    let (log, map) = (log(), memories());
    let mut plan = EmbeddingPlan::build(&map, &log.0).unwrap();
    let stream = plan.streams().remove(0);
    let events = log.stream(&stream.tenant, &stream.stream);
    for part in [
        &events[..2],
        &events[1..],
        &[events[0].clone(), events[2].clone()],
    ] {
        let error = plan.apply_stream(&stream, part).unwrap_err().error;
        assert_eq!(error.kind(), ErrorKind::InvalidValue, "{error}");
        assert_eq!(plan.streams()[0], stream);
    }
}

#[test]
fn a_stream_is_folded_in_pages_for_every_row_that_needs_it() {
    // Two rows of one stream, which need it at different versions, the later by name earlier.
    let map = VectorProjectionMap::<String>::new()
        .on(MemoryEvent::RECORDED, |_| "z".to_owned())
        .on(MemoryEvent::REVISED, |_| "y".to_owned())
        .content(|memory: &Memory| Content::text(&memory.title));
    let mut log = Log::default();
    log.push(1, &recorded("a", "", &[]));
    log.push(1, &revised(Some("b"), None));
    log.push(1, &revised(Some("c"), None));
    let mut plan = EmbeddingPlan::build(&map, &log.0[..2]).unwrap();
    let [stream] = &plan.streams()[..] else {
        panic!("one stream")
    };
    assert_eq!(stream.version, 2);
    let mut fold = plan.fold(stream).unwrap();
    for page in log.0.chunks(1) {
        for event in page {
            fold.push(event).unwrap();
        }
    }
    plan.apply_fold(fold).unwrap();
    let rows = plan.into_rows().unwrap();
    let texts: Vec<_> = rows
        .keys()
        .into_iter()
        .map(|key| key.id)
        .zip(rows.pending())
        .collect();
    assert_eq!(texts, [("z".into(), "a".into()), ("y".into(), "b".into())]);
}

#[test]
fn what_an_event_said_since_is_not_undone_by_an_older_aggregate() {
    let (log, map) = (log(), memories());
    let mut forgotten = Log(log.0.clone());
    forgotten.push(1, &MemoryEvent::Forgotten);
    let after = |later| {
        let mut plan = EmbeddingPlan::build(&map, &log.0[..1]).unwrap();
        let stream = plan.streams().remove(0);
        let mut fold = plan.fold(&stream).unwrap();
        fold.push(&log.0[0]).unwrap();
        plan.add(later).unwrap();
        plan.apply_fold(fold).unwrap();
        plan
    };
    // A later trigger still waits for its own state.
    assert_eq!(after(&log.0[3]).aggregates()[0].version, 3);
    let rows = after(&forgotten.0[4]).into_rows().unwrap();
    assert!(rows.pending().is_empty());
    assert_eq!(rows.deletions().len(), 1);
}

/// Its fold fails, or panics, as its event says.
struct Fragile;

impl Aggregate for Fragile {
    type Event = MemoryEvent;

    fn fold(_: Option<Self>, event: &Envelope<MemoryEvent>) -> Result<Option<Self>> {
        match &event.data {
            MemoryEvent::Recorded { .. } => Ok(Some(Self)),
            MemoryEvent::Revised { .. } => {
                Err(Error::new(ErrorKind::InvalidValue, "it does not hold"))
            }
            _ => panic!("it broke"),
        }
    }
}

#[test]
fn a_fold_or_a_content_that_fails_is_an_error_of_the_trigger() {
    let fragile = |content: fn(&Fragile) -> Result<Content>| {
        VectorProjectionMap::<Uuid>::new()
            .on(MemoryEvent::RECORDED, by_stream)
            .on(MemoryEvent::REVISED, by_stream)
            .on(MemoryEvent::ENDED, by_stream)
            .content(content)
    };
    let good: fn(&Fragile) -> Result<Content> = |_| Ok(Content::text("good"));
    let cases: [(_, MemoryEvent, _, _); 5] = [
        (
            good,
            revised(None, None),
            ErrorKind::InvalidValue,
            "it does not hold",
        ),
        (good, MemoryEvent::Ended, ErrorKind::Panicked, "it broke"),
        (
            |_| Err(Error::new(ErrorKind::Missing, "no text")),
            recorded("", "", &[]),
            ErrorKind::Missing,
            "no text",
        ),
        (
            |_| panic!("no {}", "text"),
            recorded("", "", &[]),
            ErrorKind::Panicked,
            "no text",
        ),
        // An event may say nothing, a state may not.
        (
            |_| Ok(Content::none()),
            recorded("", "", &[]),
            ErrorKind::InvalidValue,
            "return an empty text to remove the row",
        ),
    ];
    for (content, last, kind, message) in cases {
        let map = fragile(content);
        let mut log = Log::default();
        log.push(2, &recorded("", "", &[]));
        log.push(1, &recorded("", "", &[])).push(1, &last);
        let mut plan = EmbeddingPlan::build(&map, &log.0[1..]).unwrap();
        let stream = plan.streams().remove(0);
        let mut fold = plan.fold(&stream).unwrap();
        let error = log.0[1..].iter().find_map(|event| fold.push(event).err());
        let error = error.unwrap();
        assert_eq!(error.position, Position::at(5));
        assert_eq!(error.error.kind(), kind, "{error}");
        let text = error.to_string();
        assert!(text.contains(message), "{text}");
        assert!(text.contains(&stream.stream.to_string()), "{text}");
        // Nothing was applied.
        assert_eq!(plan.streams(), std::slice::from_ref(&stream));
        let _ = plan.apply_stream(&stream, &log.0[1..]).unwrap_err();
    }
}
