//! E2: what is known about an event.

use ermine_core::{ErrorKind, Expected, NewEvent, Timestamp, new_id};

use super::kit::{
    Log, THEN, append, append_events, archive, at, event, holding, mask, tombstone, whole,
};
use crate::facts::Verdict;
use crate::facts::kit::refused;

event_facts![
    e2_an_envelope_comes_back_as_it_was_written,
    e2_the_earliest_and_the_latest_time_come_back,
    e2_u0000_is_refused_wherever_it_stands,
    e2_an_events_id_is_its_own,
    e2_a_stream_tells_when_it_was_opened_and_last_appended_to,
    e2_masking_replaces_the_data_and_nothing_else,
    e2_masking_what_is_not_there_fails_and_writes_nothing,
];

fn full() -> NewEvent {
    let headers = [("user", "Zoë \"z\" \\ 茶"), ("empty", ""), ("", "nameless")];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
    NewEvent {
        id: new_id(),
        event_type: "note_event.written".to_owned(),
        at: at(THEN),
        correlation: Some("request 1".to_owned()),
        causation: Some(String::new()),
        headers: headers.into(),
        // Every space and every digit is somebody's.
        data: r#"{"b" : 0.1000,  "a":18446744073709551615, "b":1e15, "u":"\u00e9"}"#.to_owned(),
    }
}

async fn e2_an_envelope_comes_back_as_it_was_written(log: Log) -> Verdict {
    let (one, two) = (full(), event("bare"));
    log.commit([append_events(
        "a",
        Expected::Any,
        [one.clone(), two.clone()],
    )])
    .await?;
    let reopened = Log {
        engine: log.another().await?,
        world: log.world,
    };
    let stream = reopened.stream(whole("a")).await?;
    assert_eq!(stream, reopened.all().await?);
    let written: Vec<NewEvent> = stream.into_iter().map(|event| event.event).collect();
    assert_eq!(written, [one, two]);
    Ok(())
}

async fn e2_the_earliest_and_the_latest_time_come_back(log: Log) -> Verdict {
    let times = [
        "0000-01-01T00:00:00Z",
        "1969-12-31T23:59:59.999999Z",
        "9999-12-31T23:59:59.999999Z",
    ];
    let mut at = Vec::new();
    for time in times {
        at.push(time.parse::<Timestamp>()?);
    }
    let events = at.iter().map(|at| NewEvent {
        at: *at,
        ..event("x")
    });
    log.commit([append_events("a", Expected::Any, events)])
        .await?;
    let stored = log.stream(whole("a")).await?;
    let stored: Vec<Timestamp> = stored.iter().map(|event| event.event.at).collect();
    assert_eq!(stored, at);
    Ok(())
}

async fn e2_u0000_is_refused_wherever_it_stands(log: Log) -> Verdict {
    log.commit([append("a", Expected::Any, ["x"])]).await?;
    let text = || "a\0b".to_owned();
    let name = ("a\0b".to_owned(), String::new());
    let value = (String::new(), "a\0b".to_owned());
    for spoilt in [
        NewEvent {
            event_type: text(),
            ..full()
        },
        NewEvent {
            correlation: Some(text()),
            ..full()
        },
        NewEvent {
            causation: Some(text()),
            ..full()
        },
        NewEvent {
            headers: [name].into(),
            ..full()
        },
        NewEvent {
            headers: [value].into(),
            ..full()
        },
        NewEvent {
            data: text(),
            ..full()
        },
    ] {
        let append = append_events("a", Expected::Any, [full(), spoilt]);
        let refusal = log.commit([append]).await;
        refused(refusal, ErrorKind::InvalidValue, &["U+0000", "stream a"]);
    }
    let masked = log.commit([mask("a", [(1, "a\0b")])]).await;
    refused(masked, ErrorKind::InvalidValue, &["U+0000", "stream a"]);
    assert_eq!(log.data("a").await?, ["null"]);
    Ok(())
}

async fn e2_an_events_id_is_its_own(log: Log) -> Verdict {
    let one = full();
    log.commit([append_events("a", Expected::Any, [one.clone()])])
        .await?;
    let again = append_events("b", Expected::Any, [event("x"), one.clone()]);
    let again = log.commit([again]).await;
    refused(again, ErrorKind::AlreadyExists, &[&one.id.to_string()]);
    let two = event("x");
    let twice = append_events("b", Expected::Any, [two.clone(), two.clone()]);
    let twice = log.commit([twice]).await;
    refused(twice, ErrorKind::AlreadyExists, &[&two.id.to_string()]);
    assert_eq!(log.version("b").await?, 0);
    Ok(())
}

/// By the database's clock, whatever the events say of theirs.
async fn e2_a_stream_tells_when_it_was_opened_and_last_appended_to(log: Log) -> Verdict {
    log.commit([append("a", Expected::Any, ["x"])]).await?;
    let opened = log.state("a").await?.expect("the stream is there");
    assert_eq!((opened.version, opened.archived), (1, false));
    assert_eq!(opened.created, opened.updated);
    assert!(opened.created > at(THEN));
    log.commit([append("a", Expected::Any, ["x"])]).await?;
    let later = log.state("a").await?.expect("the stream is there");
    assert_eq!(later.created, opened.created);
    assert!(later.updated > opened.updated);
    Ok(())
}

async fn e2_masking_replaces_the_data_and_nothing_else(log: Log) -> Verdict {
    let events = ["1", "2", "3"].map(|data| NewEvent {
        data: data.to_owned(),
        ..full()
    });
    let bystander = holding("x", "\"kept\"");
    log.commit([
        append_events("a", Expected::Any, events),
        append_events(("acme", "a"), Expected::Any, [bystander]),
    ])
    .await?;
    let mut before = log.all().await?;
    log.commit([mask("a", [(3, "null"), (1, "{\"masked\":true}")])])
        .await?;
    assert_eq!(log.data("a").await?, ["{\"masked\":true}", "2", "null"]);
    "{\"masked\":true}".clone_into(&mut before[0].event.data);
    "null".clone_into(&mut before[2].event.data);
    assert_eq!(log.all().await?, before);
    // Also where nothing can be appended any more.
    log.commit([archive("a")]).await?;
    log.commit([mask("a", [(2, "null")])]).await?;
    assert_eq!(log.data("a").await?[1], "null");
    Ok(())
}

async fn e2_masking_what_is_not_there_fails_and_writes_nothing(log: Log) -> Verdict {
    log.commit([append_events("a", Expected::Any, [holding("x", "1")])])
        .await?;
    for versions in [[(1, "null"), (2, "null")], [(1, "null"), (0, "null")]] {
        let missing = log.commit([mask("a", versions)]).await;
        refused(missing, ErrorKind::Missing, &["stream a"]);
    }
    let nowhere = log.commit([mask("b", [(1, "null")])]).await;
    refused(nowhere, ErrorKind::Missing, &["stream b"]);
    assert_eq!(log.data("a").await?, ["1"]);
    log.commit([tombstone("a")]).await?;
    let removed = log.commit([mask("a", [(1, "null")])]).await;
    refused(removed, ErrorKind::Missing, &["stream a"]);
    Ok(())
}
