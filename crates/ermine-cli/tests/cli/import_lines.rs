//! Importing `.jsonl` files.

use crate::stored::documents;
use crate::support::{Place, ids};

const PAPERS: &str = r#"{"_id": "a", "title": "Pools", "text": "connection pools and timeouts", "metadata": {"year": 1958, "tags": ["db", "net"]}}
{"_id": "b", "title": "Timeouts", "text": "why timeouts happen in pools", "metadata": {"year": 1962, "tags": ["db"]}}
{"_id": "c", "title": "Tea", "text": "pools of tea", "metadata": {"year": 1970, "tags": []}}
{"_id": "d", "title": "No year", "text": "pools of unknown age"}
"#;

const FIELDS: [&str; 4] = [
    "--field",
    "year=metadata.year:int",
    "--field",
    "tags=metadata.tags:[text]",
];

fn imported() -> Place {
    let place = Place::new();
    place.write("papers.jsonl", PAPERS);
    place
        .run(&[&["import", "papers.jsonl"][..], &FIELDS].concat())
        .succeeded();
    place
}

fn found(place: &Place, mode: &str, filter: &str) -> Vec<String> {
    let hits = place
        .run(&[
            "search",
            "pools timeouts",
            "--mode",
            mode,
            "--filter",
            filter,
            "--format",
            "jsonl",
        ])
        .json_lines();
    let mut ids: Vec<String> = ids(&hits).into_iter().map(str::to_owned).collect();
    ids.sort();
    ids
}

#[test]
fn fields_filter_in_every_mode() {
    let place = imported();
    for mode in ["hybrid", "vector", "text"] {
        for (filter, expected) in [
            ("year >= 1960 and tags contains \"db\"", &["b"][..]),
            ("year >= 1960", &["b", "c"]),
            ("not year >= 1960", &["a", "d"]),
            ("year is null", &["d"]),
            ("tags contains all [\"db\", \"net\"]", &["a"]),
            ("title in [\"Tea\", \"Pools\"]", &["a", "c"]),
            ("id = \"c\" or year between 1960 and 1965", &["b", "c"]),
            ("false", &[]),
        ] {
            assert_eq!(found(&place, mode, filter), expected, "{mode}: {filter}");
        }
    }
}

#[test]
fn a_mistake_in_a_filter_is_pointed_at() {
    let place = imported();
    let ran = place.run(&["search", "pools", "--filter", "year >= \"1960\""]);
    assert_eq!(ran.code, 2);
    let expected = "ermine: filter, column 9: `year` is i64, but \"1960\" is text; leave the quotes out\n  year >= \"1960\"\n          ^^^^^^\n";
    assert_eq!(ran.err, expected);
}

#[test]
fn a_second_import_of_lines_embeds_nothing_and_removes_nothing() {
    let place = imported();
    place.write("papers.jsonl", PAPERS.lines().next().unwrap());
    let again = place
        .run(&[&["import", "papers.jsonl"][..], &FIELDS].concat())
        .succeeded();
    assert!(
        again.contains("1 unchanged, 0 removed; 0 texts embedded"),
        "{again}"
    );
    assert_eq!(documents(&place.path("ermine.db")).len(), 4);
}

#[test]
fn a_mistake_in_a_line_is_named_before_anything_is_stored() {
    let place = Place::new();
    place.write(
        "bad.jsonl",
        format!(
            "{PAPERS}{}\n",
            r#"{"_id": "e", "text": "x", "metadata": {"year": "1960"}}"#
        ),
    );
    let line = place
        .run(&[&["import", "bad.jsonl"][..], &FIELDS].concat())
        .refused();
    assert!(
        line.contains("bad.jsonl:5: ") && line.contains("expected i64, got \"1960\""),
        "{line}"
    );
    assert!(!place.exists("ermine.db"));
}

#[test]
fn a_field_the_collection_lacks_is_refused_with_a_remedy() {
    let place = imported();
    let line = place
        .run(&["import", "papers.jsonl", "--field", "pages:int"])
        .refused();
    assert!(
        line.contains("`pages:i64`") && line.contains("--collection NAME"),
        "{line}"
    );
    let plain = place.run(&["import", "papers.jsonl"]).succeeded();
    assert!(plain.contains("3 changed, 1 unchanged"), "{plain}");
}

#[test]
fn a_file_of_lines_that_is_not_utf_8_is_named_and_skipped() {
    let place = Place::new();
    place.write("good.jsonl", PAPERS);
    place.write("bad.jsonl", b"{\"_id\": \"x\", \"text\": \"caf\xe9\"}\n");
    let ran = place.run(&["import", "good.jsonl", "bad.jsonl"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("4 documents of 1 file"), "{ran:?}");
    assert!(
        ran.err
            .contains("skipped bad.jsonl: it is not UTF-8 (byte 25)"),
        "{ran:?}"
    );
}
