//! Importing a history that is told as events.

use serde_json::Value as Json;

use crate::support::{Place, ids};

on_each_store! {
    a_history_comes_to_what_its_last_events_say,
    a_second_import_appends_what_is_new_and_embeds_nothing_else,
    an_event_that_says_something_else_than_the_stored_one_is_refused,
    what_is_missing_between_two_events_is_told,
    a_line_that_is_no_event_is_named_before_anything_is_made,
    the_language_is_that_of_the_first_import,
    a_collection_of_that_name_which_no_events_feed_is_refused,
    files_cannot_be_imported_into_what_events_feed,
}

pub(crate) const EVENTS: &str = r#"
{"stream": "pool", "version": 1, "type": "Recorded", "title": "Pools", "body": "Connections are opened lazily.", "tags": ["db"], "at": "2024-05-01T10:00:00Z", "author": "Ann"}
{"stream": "tea", "version": 1, "type": "Recorded", "title": "Tea", "body": "Steep it for three minutes.", "at": "2024-05-02T10:00:00Z"}
{"stream": "pool", "version": 2, "type": "Revised", "body": "Idle connections are closed at midnight.", "at": "2024-05-03T10:00:00Z"}
{"stream": "pool", "version": 3, "type": "Tagged", "tags": ["db", "ops"], "at": "2024-05-04T10:00:00Z"}
{"stream": "soup", "version": 1, "type": "Recorded", "title": "Soup", "body": "Simmer gently.", "at": "2024-05-04T10:00:00Z"}
{"stream": "soup", "version": 2, "type": "Forgotten", "at": "2024-05-05T10:00:00Z"}
{"stream": "tea", "version": 2, "type": "Renamed", "title": "Green tea", "at": "2024-05-06T10:00:00Z"}
"#;

/// Writes these events to `events.jsonl`.
fn told(place: &Place, events: &str) {
    place.write("events.jsonl", events);
}

fn import(place: &Place) -> String {
    place
        .run(&["import", "--events", "events.jsonl"])
        .succeeded()
}

fn found(place: &Place, arguments: &[&str]) -> Vec<Json> {
    let search = ["search", "--format", "jsonl"];
    place.run(&[&search[..], arguments].concat()).json_lines()
}

fn a_history_comes_to_what_its_last_events_say(place: &Place) {
    told(place, EVENTS);
    let said = import(place);
    assert!(
        said.contains("`history`: 7 events: 7 new, 0 known; 2 texts embedded"),
        "{said}"
    );
    for mode in ["hybrid", "vector", "text"] {
        let hits = found(place, &["idle connections", "--mode", mode]);
        assert_eq!(ids(&hits)[0], "pool", "{mode}");
        let hits = found(place, &["steep green tea", "--mode", mode]);
        assert_eq!(ids(&hits)[0], "tea", "{mode}");
        let hits = found(place, &["simmer gently", "--mode", mode]);
        assert!(!ids(&hits).contains(&"soup"), "{mode}");
    }
    for superseded in ["lazily", "simmer"] {
        assert_eq!(
            found(place, &[superseded, "--mode", "text"]),
            [] as [Json; 0]
        );
    }
    let tagged = ["connections", "--filter", "tags contains 'ops'"];
    assert_eq!(ids(&found(place, &tagged)), ["pool"]);
}

fn a_second_import_appends_what_is_new_and_embeds_nothing_else(place: &Place) {
    told(place, EVENTS);
    import(place);
    let again = import(place);
    assert!(
        again.contains("7 events: 0 new, 7 known; 0 texts embedded"),
        "{again}"
    );
    let more = r#"{"stream": "tea", "version": 3, "type": "Revised", "body": "Steep it for two.", "at": "2024-05-07T10:00:00Z"}"#;
    place.write("events.jsonl", format!("{EVENTS}{more}\n"));
    let more = import(place);
    assert!(
        more.contains("8 events: 1 new, 7 known; 1 text embedded"),
        "{more}"
    );
    assert_eq!(found(place, &["minutes", "--mode", "text"]).len(), 0);
}

fn an_event_that_says_something_else_than_the_stored_one_is_refused(place: &Place) {
    told(place, EVENTS);
    import(place);
    place.write("events.jsonl", EVENTS.replace("midnight", "noon"));
    let ran = place.run(&["import", "--events", "events.jsonl"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    for part in [
        "ermine: events.jsonl:4: event 2 of the stream `pool`",
        "--store",
    ] {
        assert!(ran.err.contains(part), "{ran:?}");
    }
}

fn what_is_missing_between_two_events_is_told(place: &Place) {
    told(place, &EVENTS.replace("\"version\": 3", "\"version\": 4"));
    let line = place.run(&["import", "--events", "events.jsonl"]).refused();
    assert!(
        line.contains("events.jsonl:5: event 4 of the stream `pool` follows its event 2"),
        "{line}"
    );
    place.made_nothing();
    // A file may go on where another ended, but not further on.
    place.write(
        "events.jsonl",
        r#"{"stream": "pool", "version": 3, "type": "Forgotten", "at": "2024-05-03T10:00:00Z"}"#,
    );
    let line = place.run(&["import", "--events", "events.jsonl"]).refused();
    assert!(
        line.contains(
            "the stream `pool` has no events and its next event would be version 1, not 3"
        ),
        "{line}"
    );
}

fn a_line_that_is_no_event_is_named_before_anything_is_made(place: &Place) {
    told(place, &EVENTS.replace("\"Tagged\"", "\"Labelled\""));
    let line = place.run(&["import", "--events", "events.jsonl"]).refused();
    assert!(
        line.contains("events.jsonl:5: \"Labelled\" is no type of event"),
        "{line}"
    );
    place.made_nothing();
}

fn the_language_is_that_of_the_first_import(place: &Place) {
    told(place, EVENTS);
    let plain = ["import", "--events", "events.jsonl", "--language", "none"];
    place.run(&plain).succeeded();
    assert_eq!(found(place, &["connection", "--mode", "text"]).len(), 0);
    assert_eq!(found(place, &["connections", "--mode", "text"]).len(), 1);
    import(place);
    let line = place
        .run(&[
            "import",
            "--events",
            "events.jsonl",
            "--language",
            "english",
        ])
        .refused();
    assert!(
        line.contains("`history` is analysed as none, not as english"),
        "{line}"
    );
}

fn a_collection_of_that_name_which_no_events_feed_is_refused(place: &Place) {
    told(place, EVENTS);
    place.write("a.md", "# A\n\nTea.\n");
    place
        .run(&["import", "a.md", "--collection", "history"])
        .succeeded();
    let line = place.run(&["import", "--events", "events.jsonl"]).refused();
    assert!(
        line.contains("`history` exists and is not fed by events") && line.contains("--store"),
        "{line}"
    );
}

fn files_cannot_be_imported_into_what_events_feed(place: &Place) {
    told(place, EVENTS);
    import(place);
    place.write("a.md", "# A\n\nTea.\n");
    let line = place
        .run(&["import", "a.md", "--collection", "history"])
        .refused();
    assert!(line.contains("--collection NAME"), "{line}");
}
