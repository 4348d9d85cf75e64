//! E1: starting, appending, and expected versions.

use ermine_core::{ErrorKind, Expected, Id, IdType, Position, StreamId, new_id};
use futures_util::future::join;

use super::kit::{
    Log, append, append_events, archive, commit, event, named, of_tenant, places, tombstone, whole,
};
use crate::facts::Verdict;
use crate::facts::kit::{failed, refused};

event_facts![
    e1_a_start_fails_where_the_stream_exists,
    e1_an_append_makes_the_stream,
    e1_an_expected_version_is_judged_and_both_versions_are_told,
    e1_versions_begin_at_one_and_have_no_holes,
    e1_an_expectation_sees_what_its_unit_appended,
    e1_an_expectation_without_events_is_judged_and_writes_nothing,
    e1_of_writers_at_once_one_wins,
    e1_the_uuid_and_the_text_that_looks_like_it_are_two_streams,
    e1_an_archived_stream_takes_no_more_events,
    e1_a_removed_stream_keeps_its_name,
    p14_streams_of_tenants_are_apart,
];

async fn e1_a_start_fails_where_the_stream_exists(log: Log) -> Verdict {
    log.commit([append("a", Expected::Missing, ["begun", "went on"])])
        .await?;
    let again = log
        .commit([append("a", Expected::Missing, ["begun"])])
        .await;
    refused(again, ErrorKind::AlreadyExists, &["stream a"]);
    assert_eq!(log.version("a").await?, 2);
    assert_eq!(log.all().await?.len(), 2);
    Ok(())
}

async fn e1_an_append_makes_the_stream(log: Log) -> Verdict {
    assert_eq!(log.state("a").await?, None);
    assert!(log.stream(whole("a")).await?.is_empty());
    log.commit([append("a", Expected::Any, ["happened"])])
        .await?;
    log.commit([append("a", Expected::Any, ["happened"])])
        .await?;
    assert_eq!(log.version("a").await?, 2);
    log.commit([append("b", Expected::Version(0), ["happened"])])
        .await?;
    assert_eq!(log.version("b").await?, 1);
    Ok(())
}

async fn e1_an_expected_version_is_judged_and_both_versions_are_told(log: Log) -> Verdict {
    log.commit([append("a", Expected::Any, ["one", "two"])])
        .await?;
    for wrong in [0, 1, 3, 70] {
        let append = append("a", Expected::Version(wrong), ["three"]);
        let error = failed(log.commit([append]).await);
        assert_eq!(error.kind(), ErrorKind::Conflict);
        let message = error.to_string();
        let (expected, found) = (format!("version {wrong}"), "version 2");
        assert!(
            message.contains(&expected) && message.contains(found) && message.contains("stream a"),
            "{message}"
        );
    }
    let missing = log
        .commit([append("b", Expected::Version(4), ["one"])])
        .await;
    refused(missing, ErrorKind::Conflict, &["version 4", "version 0"]);
    assert_eq!(log.state("b").await?, None);
    log.commit([append("a", Expected::Version(2), ["three"])])
        .await?;
    assert_eq!(log.version("a").await?, 3);
    Ok(())
}

async fn e1_versions_begin_at_one_and_have_no_holes(log: Log) -> Verdict {
    log.commit([
        append("a", Expected::Any, ["x", "x"]),
        append("b", Expected::Any, ["x"]),
        append("a", Expected::Any, ["x"]),
    ])
    .await?;
    // What fails takes no version along.
    let lost = [
        append("a", Expected::Any, ["x"]),
        append("b", Expected::Missing, ["x"]),
    ];
    failed(log.commit(lost).await);
    log.commit([append("a", Expected::Any, ["x"])]).await?;
    let versions = log.stream(whole("a")).await?;
    let versions: Vec<u64> = versions.iter().map(|event| event.version).collect();
    assert_eq!(versions, [1, 2, 3, 4]);
    let in_order = [("a", 1), ("a", 2), ("b", 1), ("a", 3), ("a", 4)];
    let in_order = in_order.map(|(stream, version)| (stream.to_owned(), version));
    assert_eq!(places(&log.all().await?), in_order);
    Ok(())
}

async fn e1_an_expectation_sees_what_its_unit_appended(log: Log) -> Verdict {
    log.commit([
        append("a", Expected::Missing, ["x", "x"]),
        append("a", Expected::Version(2), ["x"]),
    ])
    .await?;
    let twice = [
        append("b", Expected::Missing, ["x"]),
        append("b", Expected::Missing, ["x"]),
    ];
    refused(log.commit(twice).await, ErrorKind::AlreadyExists, &["b"]);
    assert_eq!((log.version("a").await?, log.version("b").await?), (3, 0));
    Ok(())
}

async fn e1_an_expectation_without_events_is_judged_and_writes_nothing(log: Log) -> Verdict {
    let committed = log.commit([append("a", Expected::Missing, [])]).await?;
    assert_eq!(committed.token.position(), None);
    assert_eq!(log.state("a").await?, None);
    log.commit([append("a", Expected::Any, ["x"])]).await?;
    log.commit([append("a", Expected::Version(1), [])]).await?;
    let wrong = log.commit([append("a", Expected::Version(2), [])]).await;
    refused(wrong, ErrorKind::Conflict, &["version 2", "version 1"]);
    let there = log.commit([append("a", Expected::Missing, [])]).await;
    refused(there, ErrorKind::AlreadyExists, &["stream a"]);
    assert_eq!(log.version("a").await?, 1);
    Ok(())
}

async fn e1_of_writers_at_once_one_wins(log: Log) -> Verdict {
    let another = log.another().await?;
    for version in 0..20 {
        let one = append("a", Expected::Version(version), ["one"]);
        let two = append("a", Expected::Version(version), ["two"]);
        let (one, two) = join(log.commit([one]), commit(&another, [two])).await;
        let lost = match (one, two) {
            (Ok(_), Err(lost)) | (Err(lost), Ok(_)) => lost,
            other => panic!("one of two writers wins: {other:?}"),
        };
        assert_eq!(lost.kind(), ErrorKind::Conflict, "{lost}");
        assert_eq!(log.version("a").await?, version + 1);
    }
    assert_eq!(log.all().await?.len(), 20);
    Ok(())
}

async fn e1_the_uuid_and_the_text_that_looks_like_it_are_two_streams(log: Log) -> Verdict {
    let id = new_id();
    let (uuid, text) = (StreamId::from(id), named(&id.to_string()));
    log.commit([append(uuid.clone(), Expected::Missing, ["x"])])
        .await?;
    assert_eq!(log.state(text.clone()).await?, None);
    log.commit([append(text.clone(), Expected::Missing, ["y", "y"])])
        .await?;
    for (stream, count) in [(uuid, 1), (text, 2)] {
        let events = log.stream(whole(stream.clone())).await?;
        assert_eq!(events.len(), count);
        assert!(events.iter().all(|event| event.stream == stream));
    }
    let streams = log.all().await?.into_iter().map(|event| event.stream);
    let kinds: Vec<_> = streams.map(|stream| Id::from(stream).id_type()).collect();
    let (uuid, text) = (IdType::Uuid, IdType::Text);
    assert_eq!(kinds, [uuid, text, text]);
    Ok(())
}

async fn e1_an_archived_stream_takes_no_more_events(log: Log) -> Verdict {
    log.commit([append("a", Expected::Any, ["x", "x"])]).await?;
    log.commit([archive("a"), archive("none such")]).await?;
    for expected in [Expected::Any, Expected::Version(2), Expected::Missing] {
        let append = log.commit([append("a", expected, ["x"])]).await;
        refused(append, ErrorKind::Archived, &["stream a", "archived"]);
    }
    // What is expected of it can still be asked.
    log.commit([append("a", Expected::Version(2), [])]).await?;
    let state = log.state("a").await?.expect("the stream is there");
    assert_eq!((state.version, state.archived), (2, true));
    assert_eq!(log.stream(whole("a")).await?.len(), 2);
    assert_eq!(log.state("none such").await?, None);
    Ok(())
}

async fn e1_a_removed_stream_keeps_its_name(log: Log) -> Verdict {
    log.commit([append("a", Expected::Any, ["x", "x"])]).await?;
    log.commit([tombstone("a"), tombstone("none such")]).await?;
    let state = log.state("a").await?.expect("its name is taken");
    assert_eq!((state.version, state.archived), (2, true));
    assert!(log.stream(whole("a")).await?.is_empty());
    for expected in [Expected::Any, Expected::Missing] {
        let append = log.commit([append("a", expected, ["x"])]).await;
        refused(append, ErrorKind::Archived, &["stream a"]);
    }
    assert_eq!(log.state("none such").await?, None);
    Ok(())
}

async fn p14_streams_of_tenants_are_apart(log: Log) -> Verdict {
    log.commit([
        append(("acme", "a"), Expected::Missing, ["x"]),
        append(("Acme", "a"), Expected::Missing, ["x", "x"]),
        append("a", Expected::Missing, ["x", "x", "x"]),
    ])
    .await?;
    for (key, count) in [(("acme", "a"), 1), (("Acme", "a"), 2)] {
        let events = log.stream(whole(key)).await?;
        assert_eq!(events.len(), count);
        let tenant = Some(of_tenant(key.0));
        assert!(events.iter().all(|event| event.tenant == tenant));
    }
    assert_eq!(log.version("a").await?, 3);
    log.commit([tombstone(("acme", "a")), archive(("Acme", "a"))])
        .await?;
    log.commit([append_events("a", Expected::Version(3), [event("x")])])
        .await?;
    let all = log.all().await?;
    assert_eq!(all.len(), 4);
    assert!(all.iter().all(|event| event.tenant.is_none()));
    assert!(all.iter().all(|event| event.position > Position::START));
    Ok(())
}
