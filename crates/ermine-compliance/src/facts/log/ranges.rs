//! E4: parts of a stream.

use ermine_core::{Answer, Expected, NewEvent, Read, Storage, StreamRange};

use super::kit::{Log, append, append_events, at, event, whole};
use crate::facts::Verdict;

event_facts![
    e4_a_stream_is_read_from_a_version_to_a_version,
    e4_a_stream_is_read_in_pages,
    e4_a_stream_until_a_time_is_its_longest_prefix,
];

async fn versions(log: &Log, range: StreamRange) -> ermine_core::Result<Vec<u64>> {
    let events = log.stream(range).await?;
    Ok(events.iter().map(|event| event.version).collect())
}

async fn e4_a_stream_is_read_from_a_version_to_a_version(log: Log) -> Verdict {
    log.commit([
        append("a", Expected::Any, ["x", "x", "x"]),
        append("b", Expected::Any, ["x"]),
        append("a", Expected::Any, ["x", "x"]),
    ])
    .await?;
    let of = |from, to| StreamRange {
        from,
        to,
        ..whole("a")
    };
    assert_eq!(versions(&log, of(1, None)).await?, [1, 2, 3, 4, 5]);
    assert_eq!(versions(&log, of(0, Some(1))).await?, [1]);
    assert_eq!(versions(&log, of(2, Some(4))).await?, [2, 3, 4]);
    assert_eq!(versions(&log, of(5, Some(u64::MAX))).await?, [5]);
    assert!(versions(&log, of(6, None)).await?.is_empty());
    assert!(versions(&log, of(4, Some(3))).await?.is_empty());
    assert!(versions(&log, of(1, Some(0))).await?.is_empty());
    Ok(())
}

async fn e4_a_stream_is_read_in_pages(log: Log) -> Verdict {
    log.commit([append("a", Expected::Any, ["x"; 7])]).await?;
    for size in 1..9 {
        let mut seen = Vec::new();
        loop {
            let range = StreamRange {
                from: seen.len() as u64 + 1,
                ..whole("a")
            };
            let read = Read::Stream { range, limit: size };
            let answers = log.engine.read(&[read]).await?;
            let [Answer::Events(page)] = answers.as_slice() else {
                panic!("a stream was read, and {answers:?} answered")
            };
            assert!(page.len() <= size);
            if page.is_empty() {
                break;
            }
            seen.extend(page.iter().map(|event| event.version));
        }
        assert_eq!(seen, [1, 2, 3, 4, 5, 6, 7]);
    }
    let range = whole("a");
    let nothing = log.engine.read(&[Read::Stream { range, limit: 0 }]).await?;
    assert!(matches!(nothing.as_slice(), [Answer::Events(none)] if none.is_empty()));
    Ok(())
}

/// The third event happened before the second, as its writer says.
async fn e4_a_stream_until_a_time_is_its_longest_prefix(log: Log) -> Verdict {
    let events = [10, 30, 20, 30, 40].map(|micros| NewEvent {
        at: at(micros),
        ..event("x")
    });
    log.commit([append_events("a", Expected::Any, events)])
        .await?;
    let until = |from, micros| StreamRange {
        from,
        until: Some(at(micros)),
        ..whole("a")
    };
    assert!(versions(&log, until(1, 9)).await?.is_empty());
    assert_eq!(versions(&log, until(1, 10)).await?, [1]);
    assert_eq!(versions(&log, until(1, 29)).await?, [1]);
    assert_eq!(versions(&log, until(1, 30)).await?, [1, 2, 3, 4]);
    assert_eq!(versions(&log, until(1, 40)).await?, [1, 2, 3, 4, 5]);
    // What comes before the part that is read still ends the prefix.
    assert!(versions(&log, until(3, 29)).await?.is_empty());
    assert_eq!(versions(&log, until(3, 35)).await?, [3, 4]);
    let both = StreamRange {
        to: Some(2),
        ..until(1, 30)
    };
    assert_eq!(versions(&log, both).await?, [1, 2]);
    Ok(())
}
