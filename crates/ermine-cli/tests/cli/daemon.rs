//! Running the daemon, and looking after it.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use ermine::{Event, Store};
use serde_json::{Value as Json, json};

use crate::import_events::EVENTS;
use crate::stored::wait;
use crate::support::{Place, Ran};

on_each_store! {
    a_store_that_nobody_looks_after_is_told_by_the_exit_code,
    #[cfg(unix)]
    a_daemon_that_runs_leads_until_it_is_told_to_stop,
    a_projection_that_is_paused_stands_still_until_it_is_resumed,
    a_rebuild_tells_what_it_would_cost_and_embeds_nothing_that_is_unchanged,
    an_event_that_cannot_be_applied_pauses_or_is_set_aside,
}

/// A history in the folder's store, with its vectors.
fn with_history(place: &Place) {
    place.write("events.jsonl", EVENTS);
    let import = ["import", "--events", "events.jsonl"];
    place.run(&import).succeeded();
}

fn daemon(place: &Place, arguments: &[&str]) -> Ran {
    place.run(&[&["daemon"][..], arguments].concat())
}

/// The one projection's status, and the exit code.
fn status(place: &Place) -> (Json, i32) {
    let ran = daemon(place, &["status", "--format", "json"]);
    let status: Json = serde_json::from_str(&ran.out).unwrap();
    (status[0].clone(), ran.code)
}

/// An event that no code of the program can read.
struct Broken;

impl Event for Broken {
    fn event_types() -> &'static [&'static str] {
        &["Revised"]
    }

    fn event_type(&self) -> &'static str {
        "Revised"
    }

    fn to_data(&self) -> ermine::Result<String> {
        Ok("7".to_owned())
    }

    fn from_data(_: &str, _: &str) -> ermine::Result<Self> {
        Ok(Self)
    }
}

fn break_a_stream(place: &Place) {
    let store = Store::builder(place.engine()).events::<Broken>();
    let store = wait(store.open()).unwrap();
    let mut session = store.session_without_tenant();
    session.append("pool", [Broken]);
    wait(session.commit()).unwrap();
}

/// An application's event, in a stream that a uuid names.
pub(crate) fn append_by_uuid(place: &Place, stream: uuid::Uuid) {
    let store = Store::builder(place.engine()).events::<Broken>();
    let store = wait(store.open()).unwrap();
    let mut session = store.session_without_tenant();
    session.append(stream, [Broken]);
    wait(session.commit()).unwrap();
}

fn a_store_that_nobody_looks_after_is_told_by_the_exit_code(place: &Place) {
    with_history(place);
    let (status, code) = status(place);
    assert_eq!(code, 3);
    assert_eq!(status["projection"], "history-vectors");
    assert_eq!(status["leader"], json!(null));
    assert_eq!(status["caught_up"], true);
    assert_eq!(status["lag_events"], 0);
    let shown = daemon(place, &["status"]);
    assert_eq!(shown.code, 3);
    assert!(
        shown.out.contains(": caught up") && shown.out.contains("nobody; run"),
        "{shown:?}"
    );
}

#[cfg(unix)]
fn a_daemon_that_runs_leads_until_it_is_told_to_stop(place: &Place) {
    with_history(place);
    let mut command = place.command(&["daemon", "run"]);
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    assert!(line.contains("the daemon runs"), "{line}");
    let eventually = |what: &str, done: &dyn Fn() -> bool| {
        for _ in 0..300 {
            if done() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        panic!("{what} never came");
    };
    eventually("a leader", &|| status(place).1 == 0);
    let event = [
        "events",
        "append",
        "stew",
        "--type",
        "Recorded",
        "--data",
        r#"{"title": "Stew"}"#,
    ];
    place.run(&event).succeeded();
    eventually("the vector", &|| {
        let search = [
            "search",
            "stew",
            "--mode",
            "vector",
            "--format",
            "jsonl",
            "--filter",
            "id = 'stew'",
        ];
        place.run(&search).json_lines().len() == 1
    });
    let pid = child.id().to_string();
    let killed = std::process::Command::new("kill")
        .args(["-TERM", &pid])
        .status();
    assert!(killed.unwrap().success());
    assert!(child.wait().unwrap().success());
    assert_eq!(
        status(place).0["leader"],
        json!(null),
        "the lead is given up"
    );
}

fn a_projection_that_is_paused_stands_still_until_it_is_resumed(place: &Place) {
    with_history(place);
    let said = daemon(place, &["pause", "--reason", "wait for Ann"]).succeeded();
    assert!(said.contains("`history-vectors` is paused"), "{said}");
    let (paused, code) = status(place);
    assert_eq!((code, &paused["paused"]), (3, &json!("wait for Ann")));
    place
        .run(&["events", "append", "tea", "--type", "Forgotten"])
        .succeeded();
    let ran = daemon(place, &["run", "--once"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("wait for Ann"), "{ran:?}");
    daemon(place, &["resume", "history-vectors"]).succeeded();
    daemon(place, &["run", "--once"]).succeeded();
    let (resumed, _) = status(place);
    assert_eq!(
        (&resumed["paused"], &resumed["caught_up"]),
        (&json!(null), &json!(true))
    );
}

fn a_rebuild_tells_what_it_would_cost_and_embeds_nothing_that_is_unchanged(place: &Place) {
    with_history(place);
    let dry = daemon(place, &["rebuild", "--dry-run"]).succeeded();
    assert!(
        dry.contains("0 texts to embed, 0 tokens, in 0 calls"),
        "{dry}"
    );
    let rebuilt = daemon(place, &["rebuild"]).succeeded();
    assert!(
        rebuilt.contains("2 unchanged") && rebuilt.contains("0 texts embedded"),
        "{rebuilt}"
    );
    assert_eq!(status(place).0["caught_up"], true);
}

fn an_event_that_cannot_be_applied_pauses_or_is_set_aside(place: &Place) {
    with_history(place);
    break_a_stream(place);
    let ran = daemon(place, &["run", "--once"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    let (paused, code) = status(place);
    assert_eq!(code, 3);
    assert!(
        paused["paused"].as_str().unwrap().contains("pool"),
        "{paused}"
    );
    daemon(place, &["resume"]).succeeded();
    daemon(place, &["run", "--once", "--on-error", "park"]).succeeded();
    let parked = daemon(place, &["dead-letters"]).json_lines();
    assert_eq!(parked.len(), 1);
    let events = place.run(&["events", "read"]).json_lines();
    assert_eq!(parked[0]["position"], events[7]["position"]);
    let replayed = daemon(place, &["dead-letters", "--replay"]);
    assert_eq!(replayed.code, 1, "{replayed:?}");
    assert!(
        replayed.out.contains("0 applied, 0 gone, 1 failed again"),
        "{replayed:?}"
    );
}

#[test]
fn what_is_not_there_is_refused_by_name() {
    let place = Place::new();
    with_history(&place);
    let line = place.run(&["daemon", "resume", "other"]).refused();
    assert!(
        line.contains("\"other\"") && line.contains("history-vectors"),
        "{line}"
    );
    let notes = Place::with_notes();
    let line = daemon(&notes, &["status"]).refused();
    assert!(line.contains("no collection `history`"), "{line}");
    let line = daemon(&Place::new(), &["status"]).refused();
    assert!(line.contains("no store at ermine.db"), "{line}");
}
