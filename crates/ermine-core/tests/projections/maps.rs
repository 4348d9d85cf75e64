//! What maps select, and what they refuse.

use ermine_core::{
    Content, EmbeddingPlan, Error, ErrorKind, Position, Result, StreamId, VectorProjectionMap,
    by_stream,
};
use uuid::Uuid;

use crate::memory::{
    Log, Memory, MemoryEvent, NoteEvent, erased, memories, notes, recorded, said_nothing, wrote,
};
use crate::provider::Noting;
use crate::table::Table;

#[test]
fn a_map_follows_the_types_it_names_each_once() {
    let types = ["note.erased", "note.renamed", "note.written"];
    assert_eq!(notes().event_types(), types);
    let filter = notes().event_filter();
    assert_eq!(filter.types.unwrap(), types);
    assert_eq!(filter.up_to, None);
    assert_eq!(notes().aggregate(), None);
    let memory = std::any::TypeId::of::<Memory>();
    assert_eq!(memories().aggregate(), Some(memory));
}

#[test]
fn a_map_that_lacks_something_or_has_it_twice_is_refused() {
    let complete = [notes(), memories()];
    assert!(complete.iter().all(|map| map.check().is_ok()));
    let without = [
        VectorProjectionMap::<Uuid>::new(),
        VectorProjectionMap::new().on(MemoryEvent::RECORDED, by_stream),
        VectorProjectionMap::new().content(|memory: &Memory| Content::text(memory.text())),
        notes().content(|memory: &Memory| Content::text(memory.text())),
        memories().content(|memory: &Memory| Content::text(&memory.title)),
    ];
    for map in without {
        let error = map.check().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Declaration, "{map:?}");
    }
}

#[test]
fn triggers_without_content_do_not_resolve() {
    let map = VectorProjectionMap::<Uuid>::new().on(MemoryEvent::RECORDED, by_stream);
    let mut log = Log::default();
    log.push(1, &recorded("a", "b", &[]));
    let mut plan = EmbeddingPlan::build(&map, &log.0).unwrap();
    let needed = plan.aggregates().remove(0);
    let memory = Memory {
        title: String::new(),
        body: String::new(),
        tags: vec![],
    };
    let error = plan.apply_aggregate(&needed, Some(&memory)).unwrap_err();
    assert_eq!(error.error.kind(), ErrorKind::Declaration);
    let stream = plan.streams().remove(0);
    let error = plan.apply_stream(&stream, &log.0).unwrap_err();
    assert_eq!(error.error.kind(), ErrorKind::Declaration);
}

#[test]
fn entries_are_followed_in_their_order() {
    let rename = |from: u128, to: u128| NoteEvent::Renamed {
        from: Uuid::from_u128(from),
        to: Uuid::from_u128(to),
        text: "moved".into(),
    };
    let mut log = Log::default();
    log.push(9, &wrote(1, "a"));
    log.push(9, &rename(1, 2)).push(9, &rename(3, 3));
    let (mut table, provider) = (Table::default(), Noting::proper());
    table.apply(&notes(), &log, &log.0, &provider).unwrap();
    // A row renamed to itself is written, as the delete stands before the write.
    assert_eq!(table.texts(), [(2, "moved"), (3, "moved")]);
}

#[test]
fn the_ids_of_an_event_are_those_it_writes_or_deletes() {
    let id = Uuid::from_u128;
    let mut log = Log::default();
    log.push(9, &wrote(1, "a")).push(9, &said_nothing(1));
    log.push(9, &erased(2)).push(7, &recorded("a", "b", &[]));
    let event = NoteEvent::Renamed {
        from: id(3),
        to: id(4),
        text: String::new(),
    };
    log.push(9, &event);
    let ids = |map: &VectorProjectionMap<Uuid>| -> Vec<Vec<Uuid>> {
        let events = log.0.iter();
        events.map(|event| map.ids_of(event).unwrap()).collect()
    };
    let none = Vec::new;
    assert_eq!(
        ids(&notes()),
        [vec![id(1)], none(), vec![id(2)], none(), vec![id(3), id(4)]]
    );
    assert_eq!(
        ids(&memories()),
        [none(), none(), none(), vec![id(7)], none()]
    );
}

#[test]
fn selectors_see_the_envelope() {
    let map = VectorProjectionMap::<u64>::new().map(
        NoteEvent::WRITTEN,
        |e| Content::text(format!("{} of {}", e.headers["author"], e.stream)),
        |e| e.position.get(),
    );
    let mut log = Log::default();
    log.push(1, &wrote(1, "a"));
    let headers = &mut log.0[0].event.headers;
    headers.insert("author".into(), "Ida".into());
    let plan = EmbeddingPlan::build(&map, &log.0).unwrap();
    let rows: Vec<_> = plan.rows().map(|(key, at)| (key.id, at)).collect();
    assert_eq!(rows, [(1, Position::at(1))]);
    let text = plan.into_rows().unwrap().pending().remove(0);
    assert_eq!(&*text, "Ida of 00000000-0000-0000-0000-000000000001");
}

#[test]
fn ids_may_be_of_any_type_and_by_stream_says_where_they_do_not_fit() {
    let map = VectorProjectionMap::<String>::new().delete(NoteEvent::ERASED, by_stream);
    let mut log = Log::default();
    log.push(1, &erased(1)).push(1, &erased(2));
    log.0[0].stream = StreamId::text("docs/index.md").unwrap();
    assert_eq!(map.ids_of(&log.0[0]).unwrap(), ["docs/index.md"]);
    let error = map.ids_of(&log.0[1]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TypeMismatch);
    let text = error.to_string();
    assert!(
        text.contains("note.erased") && text.contains("position 3"),
        "{text}"
    );
}

#[test]
fn a_selector_that_fails_is_an_error_and_never_no_content() {
    type Map = VectorProjectionMap<u64>;
    let fails = || Error::new(ErrorKind::Missing, "no such thing");
    let content = Map::new().map(NoteEvent::WRITTEN, move |_| Result::Err(fails()), |_| 1);
    let id = Map::new().map(
        NoteEvent::WRITTEN,
        |_| Content::text("a"),
        move |_| Result::Err(fails()),
    );
    let delete = Map::new().delete(NoteEvent::WRITTEN, move |_| Result::Err(fails()));
    let trigger = Map::new()
        .on(NoteEvent::WRITTEN, move |_| Result::Err(fails()))
        .content(|_: &Memory| Content::text("a"));
    let panicking_content = Map::new().map(
        NoteEvent::WRITTEN,
        |e| match e.version {
            0 => Content::none(),
            _ => panic!("no such thing"),
        },
        |_| 1,
    );
    let panicking_id = Map::new().delete(NoteEvent::WRITTEN, |e| match e.version {
        0 => 1,
        _ => panic!("no such {}", "thing"),
    });
    let mut log = Log::default();
    log.push(1, &wrote(1, "before")).push(1, &wrote(1, "a"));
    for (map, kind) in [
        (content, ErrorKind::Missing),
        (id, ErrorKind::Missing),
        (delete, ErrorKind::Missing),
        (trigger, ErrorKind::Missing),
        (panicking_content, ErrorKind::Panicked),
        (panicking_id, ErrorKind::Panicked),
    ] {
        let mut plan = EmbeddingPlan::new(&map);
        let error = plan.add(&log.0[1]).unwrap_err();
        assert_eq!(error.position, Position::at(3));
        assert_eq!(error.tenant, None);
        assert_eq!(error.error.kind(), kind);
        for part in [
            "no such thing",
            "note.written",
            "event 2 of stream",
            "position 3",
        ] {
            assert!(error.to_string().contains(part), "{error}");
        }
        assert_eq!(plan.rows().count(), 0);
        let error = Error::from(EmbeddingPlan::build(&map, &log.0[1..]).unwrap_err());
        assert_eq!(error.kind(), kind);
    }
}

#[test]
fn an_event_that_fails_leaves_the_plan_as_it_was() {
    // The first entry would have written before the second fails.
    let map = VectorProjectionMap::<Uuid>::new()
        .map(NoteEvent::WRITTEN, |_| Content::text("written"), by_stream)
        .delete(NoteEvent::WRITTEN, |e| match &e.data {
            NoteEvent::Written { text: Some(_), .. } => Ok(Uuid::nil()),
            _ => Err(Error::new(ErrorKind::Missing, "no text")),
        });
    let mut log = Log::default();
    log.push(1, &wrote(1, "a")).push(2, &said_nothing(1));
    log.push(3, &wrote(1, "a"));
    let mut plan = EmbeddingPlan::new(&map);
    let failed: Vec<_> = log.0.iter().map(|event| plan.add(event).is_err()).collect();
    assert_eq!(failed, [false, true, false]);
    let rows: Vec<_> = plan.rows().map(|(key, _)| key.id.as_u128()).collect();
    assert_eq!(rows, [0, 1, 3]);
}

#[test]
fn an_event_that_cannot_be_read_is_an_error() {
    let mut log = Log::default();
    log.push(1, &wrote(1, "a"));
    log.0[0].event.data = r#"{"id":5}"#.into();
    let map = notes();
    let error = EmbeddingPlan::build(&map, &log.0).unwrap_err();
    assert_eq!(error.error.kind(), ErrorKind::Body);
    assert_eq!(error.position, Position::at(1));
}
