//! Loads that are cut short go on where they were.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use ermine_core::{ErrorKind, IdType, Metric, Schema};

use super::*;

const ROWS: i64 = 3_000;

fn database() -> (tempfile::TempDir, Connection, Layout) {
    let folder = tempfile::tempdir().unwrap();
    let connection = Connection::open(folder.path().join("notes.db")).unwrap();
    crate::catalog::prepare(&connection, Duration::ZERO).unwrap();
    let schema = Schema::builder("notes", "id", IdType::I64)
        .vector("v", 2, Metric::Euclidean)
        .build()
        .unwrap();
    let layout = Layout::new(Arc::new(schema), &[1]);
    for statement in layout.create() {
        connection.execute_batch(&statement).unwrap();
    }
    let vectors = &layout.vectors[0].table;
    connection
        .execute_batch(&format!(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {ROWS})
             INSERT INTO ermine_doc_notes (id, body) SELECT i, '{{}}' FROM n;
             INSERT INTO {vectors} (doc, data) SELECT doc, x'0000803f00000000' FROM ermine_doc_notes;"
        ))
        .unwrap();
    (folder, connection, layout)
}

/// Interrupts every call after so many looks.
fn interrupt_after(connection: &mut Connection, looks: i64) -> Arc<AtomicI64> {
    let left = Arc::new(AtomicI64::new(looks));
    let look = Arc::clone(&left);
    connection
        .progress_handler(
            1_000,
            Some(move || look.fetch_sub(1, Ordering::Relaxed) <= 0),
        )
        .unwrap();
    left
}

/// How often a load had to be begun until it was through, and what it read.
fn load(cache: &Cache, connection: &mut Connection, layout: &Layout) -> (usize, Index) {
    let left = interrupt_after(connection, 0);
    for attempt in 1..1_000 {
        left.store(12, Ordering::Relaxed);
        let fields = [(layout, &layout.vectors[0])];
        match cache.snapshot(connection, &fields) {
            Ok((snapshot, mut indexes)) => {
                left.store(i64::MAX, Ordering::Relaxed);
                drop(snapshot);
                return (attempt, indexes.remove(0));
            }
            Err(error) => assert_eq!(error.kind(), ErrorKind::Timeout, "{error}"),
        }
    }
    panic!("a load that is interrupted begins anew each time");
}

fn slots(index: &Index) -> Vec<i64> {
    let nearest = ermine_scan::Nearest {
        k: ROWS as usize,
        max_distance: None,
    };
    let allowed = ermine_scan::Allowed::default();
    let metric = Metric::Euclidean;
    let found = ermine_scan::scan(&index.blocks, &[1.0, 0.0], metric, &allowed, nearest);
    found.iter().map(|candidate| candidate.slot).collect()
}

#[test]
fn a_load_that_is_interrupted_goes_on_where_it_was() {
    let (_folder, mut connection, layout) = database();
    let cache = Cache::default();
    let (attempts, index) = load(&cache, &mut connection, &layout);
    assert!(attempts > 1, "the load was not interrupted");
    assert_eq!(slots(&index), (1..=ROWS).collect::<Vec<_>>());
}

#[test]
fn a_log_that_is_interrupted_goes_on_where_it_was() {
    let (_folder, mut connection, layout) = database();
    let cache = Cache::default();
    load(&cache, &mut connection, &layout);
    let vectors = &layout.vectors[0].table;
    connection
        .execute_batch(&format!("DELETE FROM {vectors} WHERE slot % 2 = 0"))
        .unwrap();
    let (attempts, index) = load(&cache, &mut connection, &layout);
    assert!(attempts > 1, "the load was not interrupted");
    assert_eq!(slots(&index), (1..=ROWS).step_by(2).collect::<Vec<_>>());
}

#[test]
fn what_changes_between_two_parts_of_a_load_is_seen() {
    let (_folder, mut connection, layout) = database();
    let cache = Cache::default();
    let left = interrupt_after(&mut connection, 12);
    let fields = [(&layout, &layout.vectors[0])];
    assert!(cache.snapshot(&mut connection, &fields).is_err());
    left.store(i64::MAX, Ordering::Relaxed);
    let vectors = &layout.vectors[0].table;
    // One that was read, one that was not, and a new one.
    connection
        .execute_batch(&format!(
            "DELETE FROM {vectors} WHERE slot IN (1, {ROWS});
             INSERT INTO {vectors} (doc, data) SELECT doc, x'0000803f00000000' FROM ermine_doc_notes WHERE id = 1;"
        ))
        .unwrap();
    let (_, index) = load(&cache, &mut connection, &layout);
    let expected: Vec<i64> = (2..ROWS).chain([ROWS + 1]).collect();
    assert_eq!(slots(&index), expected);
}
