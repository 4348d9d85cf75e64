//! Statements of other programs on the tables.

use crate::support::{Folder, Notes, note};

#[test]
fn deletes_edits_and_inserts_are_seen_by_every_search() {
    let folder = Folder::new();
    let notes = Notes::file(&folder.file());
    notes.store(["a", "b", "c"].map(|id| note(id, "pool").vector([1.0, 0.5])));
    let all = || ["a", "b", "c"].map(String::from).to_vec();
    assert_eq!(notes.searches("pool", [1.0, 0.0]), [all(), all(), all()]);

    let plain = folder.plain();
    plain
        .execute("DELETE FROM ermine_doc_notes WHERE id = 'b'", [])
        .unwrap();
    let rest = || ["a", "c"].map(String::from).to_vec();
    assert_eq!(notes.searches("pool", [1.0, 0.0]), [rest(), rest(), rest()]);

    plain
        .execute(
            "UPDATE ermine_doc_notes SET deleted = '2026-01-01T00:00:00.000000Z' WHERE id = 'a'",
            [],
        )
        .unwrap();
    let last = || vec!["c".to_owned()];
    assert_eq!(notes.searches("pool", [1.0, 0.0]), [last(), last(), last()]);
    plain
        .execute(
            "UPDATE ermine_doc_notes SET tenant = 'other' WHERE id = 'c'",
            [],
        )
        .unwrap();
    assert!(notes.searches("pool", [1.0, 0.0]).iter().all(Vec::is_empty));
    plain
        .execute_batch("UPDATE ermine_doc_notes SET tenant = 'acme', deleted = NULL")
        .unwrap();
    assert_eq!(notes.searches("pool", [1.0, 0.0]), [rest(), rest(), rest()]);
}

#[test]
fn rows_below_the_highest_slot_and_replaced_rows_are_seen() {
    let folder = Folder::new();
    let notes = Notes::file(&folder.file());
    notes.store(["a", "b"].map(|id| note(id, "pool").vector([1.0, 0.0])));
    let distances = || {
        let hits = notes.nearest(notes.target(), [1.0, 0.0], 10).hits;
        hits.iter()
            .map(|(r, d)| (r.id.to_string(), d.value() > 0.5))
            .collect::<Vec<_>>()
    };
    assert_eq!(distances(), [("a".into(), false), ("b".into(), false)]);
    let plain = folder.plain();
    // A new slot in the place of an old one: no delete trigger runs.
    plain
        .execute_batch(
            "INSERT OR REPLACE INTO \"ermine_vec_notes.embedding\" (doc, data)
             SELECT doc, x'000000000000803f' FROM ermine_doc_notes WHERE id = 'a'",
        )
        .unwrap();
    assert_eq!(distances(), [("b".into(), false), ("a".into(), true)]);
    // A slot below the highest.
    plain
        .execute_batch(
            "DELETE FROM \"ermine_vec_notes.embedding\" WHERE slot = 1;
             DELETE FROM \"ermine_vec_notes.embedding\" WHERE slot = 2;
             INSERT INTO \"ermine_vec_notes.embedding\" (slot, doc, data)
             SELECT 1, doc, x'000000000000803f' FROM ermine_doc_notes WHERE id = 'b'",
        )
        .unwrap();
    assert_eq!(distances(), [("a".into(), true), ("b".into(), true)]);
}

#[test]
fn vectors_moved_to_other_slots_and_documents_are_seen() {
    let folder = Folder::new();
    let notes = Notes::file(&folder.file());
    notes.store([
        note("a", "pool").vector([1.0, 0.0]),
        note("b", "pool").vector([2.0, 0.0]),
        note("c", "pool").vector([3.0, 0.0]),
    ]);
    let found = || -> Vec<String> {
        let hits = notes.nearest(notes.target(), [1.0, 0.0], 10).hits;
        hits.iter().map(|(r, _)| r.id.to_string()).collect()
    };
    assert_eq!(found(), ["a", "b", "c"]);
    let plain = folder.plain();
    let vectors = "\"ermine_vec_notes.embedding\"";
    // Beyond the highest slot given out, edited there, and removed.
    for (change, expected) in [
        (
            "UPDATE vectors SET slot = 1000 WHERE slot = 1",
            &["a", "b", "c"][..],
        ),
        (
            "UPDATE vectors SET data = NULL WHERE slot = 1000",
            &["b", "c"],
        ),
        (
            "UPDATE vectors SET data = x'0000803f00000000' WHERE slot = 1000",
            &["a", "b", "c"],
        ),
        ("DELETE FROM vectors WHERE slot = 1000", &["b", "c"]),
        ("UPDATE vectors SET slot = 1 WHERE slot = 3", &["b", "c"]),
        (
            "UPDATE OR REPLACE vectors SET slot = 1 WHERE slot = 2",
            &["b"],
        ),
        (
            "INSERT INTO vectors (doc, data) SELECT doc, x'0000803f00000000' FROM ermine_doc_notes WHERE id <> 'b'",
            &["a", "b", "c"],
        ),
        (
            "UPDATE OR REPLACE vectors SET doc = (SELECT doc FROM ermine_doc_notes WHERE id = 'c') WHERE slot = 1",
            &["a", "c"],
        ),
    ] {
        plain
            .execute_batch(&change.replace("vectors", vectors))
            .unwrap();
        assert_eq!(found(), expected, "{change}");
    }
}

#[test]
fn a_replaced_document_takes_along_what_hung_on_it() {
    let folder = Folder::new();
    let notes = Notes::file(&folder.file());
    notes.store(["a", "b", "c", "d"].map(|id| note(id, "pool").vector([1.0, 0.5])));
    let are = |expected: &[&str]| {
        let expected: Vec<String> = expected.iter().map(|id| (*id).to_owned()).collect();
        let all = [expected.clone(), expected.clone(), expected];
        assert_eq!(notes.searches("pool", [1.0, 0.0]), all);
    };
    are(&["a", "b", "c", "d"]);
    let plain = folder.plain();
    let row = "(tenant, id, body) VALUES ('acme', 'a', '{}')";
    // Neither of these replaces anything.
    plain
        .execute_batch(&format!(
            "INSERT OR IGNORE INTO ermine_doc_notes {row};
             INSERT INTO ermine_doc_notes {row} ON CONFLICT DO UPDATE SET deleted = NULL;
             INSERT INTO ermine_doc_notes (tenant, id, body) VALUES ('acme', 'new', '{{}}')"
        ))
        .unwrap();
    are(&["a", "b", "c", "d"]);
    plain
        .execute_batch(&format!("INSERT OR REPLACE INTO ermine_doc_notes {row}"))
        .unwrap();
    are(&["b", "c", "d"]);
    plain
        .execute_batch("UPDATE OR REPLACE ermine_doc_notes SET id = 'c' WHERE id = 'b'")
        .unwrap();
    are(&["c", "d"]);
    // What hangs on a document follows its number.
    plain
        .execute_batch("UPDATE ermine_doc_notes SET doc = 500 WHERE id = 'd'")
        .unwrap();
    are(&["c", "d"]);
    plain
        .execute_batch(
            "UPDATE OR REPLACE ermine_doc_notes SET doc = 500 WHERE id = 'c';
             INSERT OR REPLACE INTO ermine_doc_notes (doc, tenant, id, body)
             VALUES (501, 'acme', 'e', '{}')",
        )
        .unwrap();
    are(&["c"]);
    let left = |table: &str| -> i64 {
        let sql = format!("SELECT count(*) FROM {table}");
        plain.query_row(&sql, [], |row| row.get(0)).unwrap()
    };
    assert_eq!(left("ermine_text_notes"), 1);
    assert_eq!(left("\"ermine_vec_notes.embedding\""), 1);
    assert_eq!(left("ermine_replaced_notes"), 0);
}

#[test]
fn a_log_that_was_trimmed_too_far_means_reading_everything_anew() {
    let folder = Folder::new();
    let notes = Notes::file(&folder.file());
    notes.store(["a", "b", "c"].map(|id| note(id, "pool").vector([1.0, 0.5])));
    let nearest = || {
        let hits = notes.nearest(notes.target(), [0.0, 1.0], 1).hits;
        hits[0].0.id.to_string()
    };
    assert_eq!(nearest(), "a");
    let turn_and_trim = |id: &str| {
        let turn = "UPDATE \"ermine_vec_notes.embedding\" SET data = x'000000000000803f'
             WHERE doc = (SELECT doc FROM ermine_doc_notes WHERE id = ?1)";
        let plain = folder.plain();
        plain.execute(turn, [id]).unwrap();
        plain.execute("DELETE FROM ermine_vector_log", []).unwrap();
    };
    turn_and_trim("c");
    assert_eq!(nearest(), "c");
    turn_and_trim("b");
    assert_eq!(nearest(), "b");
}

#[test]
fn the_log_of_vector_changes_stays_short_however_few_documents_a_group_has() {
    let folder = Folder::new();
    let notes = Notes::file(&folder.file());
    let plain = folder.plain();
    plain
        .execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 140000)
             INSERT INTO ermine_vector_log (ix, slot) SELECT 1, 1 FROM n",
            [],
        )
        .unwrap();
    // A group is answered before the log is tended, and the next one after it.
    notes.store([note("a", "pool")]);
    notes.store([note("b", "pool")]);
    let entries: i64 = plain
        .query_row("SELECT count(*) FROM ermine_vector_log", [], |row| {
            row.get(0)
        })
        .unwrap();
    assert!(entries < 70_000, "{entries}");
}

#[test]
fn a_vacuum_changes_no_answer() {
    let folder = Folder::new();
    let notes = Notes::file(&folder.file());
    notes.store((0..50).map(|n| note(&format!("{n:02}"), "pool").vector([1.0, n as f32])));
    let plain = folder.plain();
    plain
        .execute("DELETE FROM ermine_doc_notes WHERE id < '30'", [])
        .unwrap();
    let before = notes.searches("pool", [1.0, 40.0]);
    plain.execute_batch("VACUUM").unwrap();
    assert_eq!(notes.searches("pool", [1.0, 40.0]), before);
    drop(notes);
    let reopened = Notes::file(&folder.file());
    assert_eq!(reopened.searches("pool", [1.0, 40.0]), before);
    // A number of a deleted document is not given out again.
    reopened.store([note("new", "pool").vector([0.0, 1.0])]);
    let doc: i64 = plain
        .query_row(
            "SELECT doc FROM ermine_doc_notes WHERE id = 'new'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(doc, 51);
}
