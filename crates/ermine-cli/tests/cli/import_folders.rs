//! Importing folders, once and again.

use crate::stored::documents;
use crate::support::{POOL, Place, ids};

#[test]
fn a_folder_becomes_passages_that_know_their_place() {
    let place = Place::with_notes();
    let stored = documents(&place.path("ermine.db"));
    let ids: Vec<String> = stored.iter().map(|d| d.id.to_string()).collect();
    assert_eq!(
        ids,
        [
            "notes/ops/backup.md#1",
            "notes/plain.txt#1",
            "notes/pool.md#1",
            "notes/pool.md#2",
            "notes/pool.md#3",
        ]
    );
    assert!(stored.iter().all(|d| d.has_vector && d.hash.is_some()));
    let timeouts: serde_json::Value = serde_json::from_str(&stored[3].body).unwrap();
    assert_eq!(timeouts["title"], "Connection pools");
    assert_eq!(timeouts["heading"], "Timeouts");
    assert_eq!(timeouts["file"], "notes/pool.md");
    assert_eq!(timeouts["line"], 5);
}

#[test]
fn the_summary_counts_what_was_done() {
    let place = Place::new();
    place.write("notes/pool.md", POOL);
    let first = place.run(&["import", "notes"]);
    let expected = "`documents`: 3 documents of 1 file: 3 new, 0 changed, 0 unchanged, 0 removed; 3 texts embedded";
    assert!(first.out.starts_with(expected), "{first:?}");
    assert!(first.err.contains("100 %  3 documents"), "{first:?}");
}

#[test]
fn a_second_import_of_unchanged_files_embeds_and_changes_nothing() {
    let place = Place::with_notes();
    let before = documents(&place.path("ermine.db"));
    let again = place.run(&["import", "notes"]).succeeded();
    assert!(
        again.contains("0 new, 0 changed, 5 unchanged, 0 removed; 0 texts embedded"),
        "{again}"
    );
    assert_eq!(documents(&place.path("ermine.db")), before);
}

#[test]
fn a_changed_passage_is_the_only_one_that_is_embedded() {
    let place = Place::with_notes();
    place.write("notes/pool.md", POOL.replace("Twice", "Thrice"));
    let again = place.run(&["import", "notes"]).succeeded();
    assert!(
        again.contains("0 new, 1 changed, 4 unchanged, 0 removed; 1 text embedded"),
        "{again}"
    );
}

#[test]
fn a_passage_that_only_moved_within_its_file_costs_no_embedding() {
    let place = Place::with_notes();
    place.write(
        "notes/pool.md",
        POOL.replace("# Connection pools\n", "# Connection pools\n\n\n"),
    );
    let again = place.run(&["import", "notes"]).succeeded();
    assert!(
        again.contains("2 changed, 3 unchanged, 0 removed; 0 texts embedded"),
        "{again}"
    );
}

#[test]
fn a_shrunk_file_loses_its_surplus_and_others_nothing() {
    let place = Place::with_notes();
    place.write(
        "notes/pool.md",
        "# Connection pools\n\nA pool keeps connections open.\n",
    );
    let again = place.run(&["import", "notes/pool.md"]).succeeded();
    assert!(
        again.contains("1 unchanged, 2 removed; 0 texts embedded"),
        "{again}"
    );
    let left = documents(&place.path("ermine.db"));
    assert_eq!(left.len(), 3);
    let found = place.run(&[
        "search",
        "timeouts cores",
        "--mode",
        "text",
        "--format",
        "jsonl",
    ]);
    assert_eq!(found.json_lines().len(), 0);
}

#[test]
fn a_file_that_is_gone_is_removed_where_its_folder_is_imported() {
    let place = Place::with_notes();
    place.write("notes2/other.md", "# Other\n\nText.\n");
    place.run(&["import", "notes2"]).succeeded();
    place.remove("notes/pool.md");
    place.remove("notes2/other.md");
    let ops = place.run(&["import", "notes/ops"]).succeeded();
    assert!(ops.contains("1 unchanged, 0 removed"), "{ops}");
    let notes = place.run(&["import", "notes"]).succeeded();
    assert!(notes.contains("2 unchanged, 3 removed"), "{notes}");
    let all = place.run(&["import", "."]).succeeded();
    assert!(all.contains("2 unchanged, 1 removed"), "{all}");
}

#[test]
fn a_file_that_is_not_utf_8_is_named_and_skipped_and_keeps_what_is_stored() {
    let place = Place::with_notes();
    place.write("notes/pool.md", b"# Pools\n\ncaf\xe9\n");
    place.write("notes/new.md", "# New\n\nText.\n");
    let again = place.run(&["import", "notes"]);
    assert_eq!(again.code, 1, "{again:?}");
    assert!(
        again
            .out
            .contains("1 new, 0 changed, 2 unchanged, 0 removed"),
        "{again:?}"
    );
    assert!(
        again
            .err
            .contains("notes/pool.md: it is not UTF-8 (byte 12)"),
        "{again:?}"
    );
    assert_eq!(documents(&place.path("ermine.db")).len(), 6);
}

#[test]
fn an_empty_file_is_imported_as_nothing_and_a_missing_one_is_refused() {
    let place = Place::new();
    place.write("notes/empty.md", "");
    let empty = place.run(&["import", "notes"]).succeeded();
    assert!(empty.contains("0 documents of 1 file"), "{empty}");
    let line = Place::new().run(&["import", "missing"]).refused();
    assert!(line.contains("missing"), "{line}");
}

#[test]
fn collections_are_apart_and_keep_their_language() {
    let place = Place::with_notes();
    place
        .run(&[
            "import",
            "notes/ops",
            "--collection",
            "ops",
            "--language",
            "none",
        ])
        .succeeded();
    let refused = place.run(&[
        "import",
        "notes",
        "--collection",
        "ops",
        "--language",
        "english",
    ]);
    assert!(refused.refused().contains("leave --language out"));
    let search = |collection: &str| {
        let arguments = ["search", "backups", "--mode", "text", "--format", "jsonl"];
        place
            .run(&[&arguments[..], &["--collection", collection]].concat())
            .json_lines()
    };
    assert_eq!(ids(&search("ops")), ["notes/ops/backup.md#1"]);
    let stemmed = place.run(&[
        "search",
        "copying",
        "--mode",
        "text",
        "--format",
        "jsonl",
        "--collection",
        "ops",
    ]);
    assert_eq!(stemmed.json_lines().len(), 0);
    let klingon = place.run(&[
        "import",
        "notes",
        "--store",
        "k.db",
        "--language",
        "klingon",
    ]);
    assert!(klingon.err.contains("none, english"), "{klingon:?}");
    assert!(klingon.code == 2 && !place.exists("k.db"));
}
