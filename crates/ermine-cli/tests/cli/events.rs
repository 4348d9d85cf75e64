//! Appending events, and reading them.

use std::io::Write;
use std::process::Stdio;

use serde_json::{Value as Json, json};

use crate::daemon::append_by_uuid;
use crate::import_events::EVENTS;
use crate::support::{Place, Ran, ids};

on_each_store! {
    events_that_are_appended_change_what_is_found,
    an_expected_version_that_is_not_there_appends_nothing,
    lines_are_appended_all_or_none,
    what_an_event_cannot_say_is_refused,
    events_are_read_by_stream_version_time_and_position,
    what_was_read_can_be_imported_elsewhere,
    a_stream_that_a_uuid_names_is_read,
}

fn append(place: &Place, arguments: &[&str]) -> Ran {
    place.run(&[&["events", "append"][..], arguments].concat())
}

fn read(place: &Place, arguments: &[&str]) -> Vec<Json> {
    place
        .run(&[&["events", "read"][..], arguments].concat())
        .json_lines()
}

/// `ermine events append` with these lines as its input.
fn append_lines(place: &Place, arguments: &[&str], lines: &str) -> Ran {
    let mut command = place.command(&[&["events", "append"][..], arguments].concat());
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(lines.as_bytes())
        .unwrap();
    Ran::of(child.wait_with_output().unwrap())
}

const OPENED: &str = r#"{"title": "Pools", "body": "Opened early."}"#;

fn events_that_are_appended_change_what_is_found(place: &Place) {
    let recorded = append(place, &["pool", "--type", "Recorded", "--data", OPENED]).json();
    assert_eq!(
        (&recorded["stream"], &recorded["version"]),
        (&json!("pool"), &json!(1))
    );
    assert!(recorded["position"].as_u64() > Some(0), "{recorded}");
    let late = [
        "pool",
        "--type",
        "Revised",
        "--data",
        r#"{"body": "Opened late."}"#,
    ];
    assert_eq!(append(place, &late).json()["version"], 2);
    let text = [
        "search",
        "early late",
        "--mode",
        "text",
        "--format",
        "jsonl",
    ];
    let hits = place.run(&text).json_lines();
    assert_eq!(ids(&hits), ["pool"]);
    assert_eq!(hits[0]["document"]["body"], "Opened late.");
    let vector = [
        "search",
        "opened late",
        "--mode",
        "vector",
        "--format",
        "jsonl",
    ];
    assert_eq!(
        place.run(&vector).json_lines().len(),
        0,
        "no daemon has run"
    );
    place.run(&["daemon", "run", "--once"]).succeeded();
    assert_eq!(ids(&place.run(&vector).json_lines()), ["pool"]);
}

fn an_expected_version_that_is_not_there_appends_nothing(place: &Place) {
    append(
        place,
        &[
            "pool",
            "--type",
            "Recorded",
            "--data",
            OPENED,
            "--expected-version",
            "0",
        ],
    )
    .succeeded();
    let line = append(
        place,
        &["pool", "--type", "Forgotten", "--expected-version", "3"],
    )
    .refused();
    assert!(
        line.contains("expected at version 3 and is at version 1"),
        "{line}"
    );
    assert_eq!(read(place, &["pool"]).len(), 1);
}

fn lines_are_appended_all_or_none(place: &Place) {
    let lines = "{\"type\": \"Recorded\", \"title\": \"Tea\", \"at\": \"2024-05-01T10:00:00Z\", \"by\": \"Ann\"}\n\n{\"type\": \"Tagged\", \"tags\": [\"hot\"]}\n";
    let told = append_lines(place, &["tea"], lines).json();
    assert_eq!((&told["version"], &told["events"]), (&json!(2), &json!(2)));
    let events = read(place, &["tea"]);
    assert_eq!(events[0]["headers"], json!({"by": "Ann"}));
    assert_eq!(events[1]["data"], json!({"tags": ["hot"]}));
    let wrong = "{\"type\": \"Forgotten\"}\n{\"type\": \"Gone\"}\n";
    let line = append_lines(place, &["tea"], wrong).refused();
    assert!(line.contains("standard input, line 2"), "{line}");
    for (wrong, expected) in [
        (
            r#"{"type": "Revised", "data": "oops"}"#,
            "`data` is no object",
        ),
        (
            r#"{"type": "Revised", "headers": ["a"]}"#,
            "`headers` is no object",
        ),
        (
            r#"{"type": "Revised", "data": {"body": "x", "note": "y"}}"#,
            "`note` is nothing that an event changes",
        ),
    ] {
        let line = append_lines(place, &["tea"], wrong).refused();
        assert!(line.contains(expected), "{line}");
    }
    assert_eq!(read(place, &["tea"]).len(), 2);
    let line = append_lines(place, &["tea"], "").refused();
    assert!(line.contains("no event to append"), "{line}");
}

fn what_an_event_cannot_say_is_refused(place: &Place) {
    for (arguments, expected) in [
        (&["a", "--type", "Gone"][..], "Forgotten"),
        (
            &["a", "--type", "Recorded", "--data", "[]"],
            "no JSON object",
        ),
        (
            &["a", "--type", "Recorded", "--data", r#"{"titel": "A"}"#],
            "`titel`",
        ),
        (
            &["a", "--type", "Recorded", "--data", r#"{"title": 1}"#],
            "`title` is not text",
        ),
    ] {
        let line = append(place, arguments).refused();
        assert!(line.contains(expected), "{line}");
    }
    place.made_nothing();
}

fn events_are_read_by_stream_version_time_and_position(place: &Place) {
    place.write("events.jsonl", EVENTS);
    place
        .run(&["import", "--events", "events.jsonl"])
        .succeeded();
    let types = |arguments: &[&str]| -> Vec<String> {
        let events = read(place, arguments);
        events
            .iter()
            .map(|e| e["type"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(types(&["pool"]), ["Recorded", "Revised", "Tagged"]);
    assert_eq!(
        types(&["pool", "--from-version", "2"]),
        ["Revised", "Tagged"]
    );
    assert_eq!(
        types(&["pool", "--to-version", "2"]),
        ["Recorded", "Revised"]
    );
    assert_eq!(
        types(&["pool", "--until", "2024-05-03T10:00:00Z"]),
        ["Recorded", "Revised"]
    );
    let all = read(place, &[]);
    assert_eq!(all.len(), 7);
    assert_eq!(all[0]["headers"], json!({"author": "Ann"}));
    assert_eq!(all[0]["at"], "2024-05-01T10:00:00.000000Z");
    let third = all[2]["position"].to_string();
    assert_eq!(read(place, &["--after", &third, "--limit", "3"]), all[3..6]);
    let line = place.run(&["events", "read", "nothing"]).refused();
    assert!(line.contains("no stream `nothing`"), "{line}");
}

fn what_was_read_can_be_imported_elsewhere(place: &Place) {
    place.write("events.jsonl", EVENTS);
    place
        .run(&["import", "--events", "events.jsonl"])
        .succeeded();
    let read = place.run(&["events", "read"]).succeeded();
    place.write("read.jsonl", read);
    let again = place.run(&["import", "--events", "read.jsonl"]).succeeded();
    assert!(again.contains("0 new, 7 known"), "{again}");
    let other = ["import", "--events", "read.jsonl", "--store", "other.db"];
    let other = place.run(&other).succeeded();
    assert!(
        other.contains("7 new, 0 known; 2 texts embedded"),
        "{other}"
    );
}

fn a_stream_that_a_uuid_names_is_read(place: &Place) {
    append(place, &["pool", "--type", "Recorded", "--data", OPENED]).succeeded();
    let stream = uuid::Uuid::from_u128(7);
    append_by_uuid(place, stream);
    let events = read(place, &[&stream.to_string()]);
    assert_eq!(events.len(), 1);
    assert_eq!(events[0]["stream"], json!(stream.to_string()));
}
