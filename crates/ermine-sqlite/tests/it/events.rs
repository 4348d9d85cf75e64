//! Events on files: those from before there were events, and those that two processes share.

use std::collections::BTreeMap;
use std::time::Duration;

use ermine_core::{
    Append, Backend, Engine, ErrorKind, EventFilter, EventStorage, Expected, LeaseOp, NewEvent, Op,
    Position, Read, Result, SchemaMode, ShardName, Storage, StreamId, Timestamp, Unit, new_id,
};
use ermine_sqlite::Sqlite;

use crate::processes::{child, file_of_child};
use crate::support::{Folder, Notes, block_on, declaration, notes};

fn append(stream: &str, count: usize) -> Op {
    let event = |n: usize| NewEvent {
        id: new_id(),
        event_type: ["written", "revised", "erased"][n % 3].into(),
        at: Timestamp::now(),
        correlation: None,
        causation: None,
        headers: BTreeMap::new(),
        data: n.to_string(),
    };
    Op::Append(Append {
        tenant: None,
        stream: StreamId::text(stream).unwrap(),
        expected: Expected::Any,
        events: (0..count).map(event).collect(),
    })
}

fn commit(engine: &Engine, ops: Vec<Op>) -> Result<Option<Position>> {
    block_on(engine.commit(&Unit { ops })).map(|committed| committed.token.position())
}

fn take(engine: &Engine, holder: &str) -> Result<Option<String>> {
    let take = LeaseOp::Take {
        shard: ShardName::new("shard"),
        holder: holder.into(),
        lasts: Duration::from_secs(3_600),
    };
    block_on(engine.lease(&take)).map(|lease| lease.holder)
}

/// How many events there are, read in pages of one type after the other.
fn count(engine: &Engine, types: Option<Vec<String>>) -> Result<usize> {
    let filter = EventFilter { types, up_to: None };
    let (mut count, mut after) = (0, Position::START);
    loop {
        let page = block_on(engine.events(after, &filter, 100))?;
        count += page.events.len();
        after = page.ceiling;
        if after == page.mark {
            return Ok(count);
        }
    }
}

/// Makes of a file what a version without events left.
fn without_events(folder: &Folder) {
    drop(Notes::file(&folder.file()));
    folder
        .plain()
        .execute_batch(
            "DROP TABLE ermine_events; DROP TABLE ermine_streams;
             DROP TABLE ermine_shards; DROP TABLE ermine_parked;",
        )
        .unwrap();
}

#[test]
fn a_file_from_before_there_were_events_gains_their_tables() {
    let folder = Folder::new();
    without_events(&folder);
    let engine = block_on(Sqlite::file(folder.file()).connect()).unwrap();
    assert_eq!(
        commit(&engine, vec![append("a", 3)]).unwrap(),
        Some(Position::at(3))
    );
    assert_eq!(count(&engine, None).unwrap(), 3);
}

#[test]
fn an_existing_store_without_events_says_so_until_a_type_may_be_created() {
    let folder = Folder::new();
    without_events(&folder);
    let engine = block_on(Sqlite::existing(folder.file()).connect()).unwrap();
    let assert = block_on(engine.ensure(&declaration(notes()), SchemaMode::Assert));
    assert!(assert.unwrap().changes.is_empty());
    let failures = [
        commit(&engine, vec![append("a", 1)]).unwrap_err(),
        count(&engine, None).unwrap_err(),
        count(&engine, Some(vec!["written".into()])).unwrap_err(),
        take(&engine, "me").unwrap_err(),
        block_on(engine.read(&[Read::Shards])).unwrap_err(),
    ];
    for error in failures {
        assert_eq!(error.kind(), ErrorKind::SchemaMismatch);
        assert!(error.to_string().contains("without events"), "{error}");
    }
    block_on(engine.wait(Position::START, Duration::ZERO)).unwrap();
    block_on(engine.ensure(&declaration(notes()), SchemaMode::CreateOrUpdate)).unwrap();
    commit(&engine, vec![append("a", 1)]).unwrap();
    assert_eq!(count(&engine, None).unwrap(), 1);
}

#[test]
fn a_unit_of_a_thousand_events_is_read_in_pages_by_type() {
    let engine = block_on(Sqlite::temporary().connect()).unwrap();
    for stream in ["a", "b", "c"] {
        commit(&engine, vec![append(stream, 1_000)]).unwrap();
    }
    assert_eq!(count(&engine, None).unwrap(), 3_000);
    let of = |types: &[&str]| Some(types.iter().map(|name| (*name).to_owned()).collect());
    assert_eq!(count(&engine, of(&["erased"])).unwrap(), 999);
    assert_eq!(count(&engine, of(&["erased", "written"])).unwrap(), 2_001);
}

#[test]
fn a_process_waits_for_the_events_of_another() {
    let folder = Folder::new();
    let engine = block_on(Sqlite::file(folder.file()).connect()).unwrap();
    assert_eq!(take(&engine, "the first").unwrap().unwrap(), "the first");
    let mut other = child("events::the_other_process", &folder);
    let mut seen = Position::START;
    while seen < Position::at(50) {
        block_on(engine.wait(seen, Duration::from_secs(3_600))).unwrap();
        let page = block_on(engine.events(seen, &EventFilter::default(), 1_000)).unwrap();
        assert!(page.ceiling > seen, "it was woken by events");
        seen = page.ceiling;
    }
    assert!(other.wait().unwrap().success());
    // Its positions go on where the other's ended.
    let last = commit(&engine, vec![append("here", 1)]).unwrap();
    assert_eq!(last, Some(Position::at(51)));
}

#[test]
#[ignore = "the other process of a test"]
fn the_other_process() {
    let engine = block_on(Sqlite::file(file_of_child()).connect()).unwrap();
    assert_eq!(take(&engine, "the second").unwrap().unwrap(), "the first");
    for _ in 0..25 {
        commit(&engine, vec![append("there", 2)]).unwrap();
    }
}

#[test]
fn a_store_that_closes_ends_what_waits() {
    let engine = block_on(Sqlite::temporary().connect()).unwrap();
    block_on(engine.wait(Position::START, Duration::from_millis(1))).unwrap();
    // The thread that looks is there now, and must not keep the store.
    drop(engine);
}
