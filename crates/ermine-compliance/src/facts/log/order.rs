//! E5: the order of all events.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ermine_core::{
    Engine, ErrorKind, EventFilter, EventStorage, Expected, Op, Position, Result, StoredEvent,
};
use futures_util::future::{try_join, try_join_all};

use super::kit::{
    LONG, Log, append, append_events, archive, commit, holding, places, positions, tombstone, whole,
};
use crate::facts::Verdict;
use crate::facts::kit::failed;

event_facts![
    e5_pages_hold_every_event_once_in_the_order_of_positions,
    e5_what_was_rolled_back_is_not_seen_and_stalls_nobody,
    e5_events_of_an_archived_stream_are_not_delivered,
    e5_events_of_a_removed_stream_are_gone,
    e5_a_position_is_not_given_twice,
    e5_a_reader_beside_writers_misses_nothing,
    e5_the_events_of_another_handle_are_seen,
    e5_waiting_ends_with_an_event_of_any_writer,
    e5_waiting_ends_with_its_time,
];

/// Every event after `after`, page by page.
async fn followed(
    engine: &Engine,
    mut after: Position,
    limit: usize,
) -> Result<(Vec<StoredEvent>, Position)> {
    let mut seen = Vec::new();
    loop {
        let page = engine.events(after, &EventFilter::default(), limit).await?;
        assert!(page.events.len() <= limit);
        assert!(page.ceiling >= after && page.ceiling <= page.mark.max(after));
        let is_full = page.events.len() == limit;
        assert!(page.ceiling > after || !is_full, "a full page goes on");
        seen.extend(page.events);
        after = page.ceiling;
        if !is_full {
            return Ok((seen, after));
        }
    }
}

async fn e5_pages_hold_every_event_once_in_the_order_of_positions(log: Log) -> Verdict {
    for stream in ["a", "b", "a", "c", "b", "a"] {
        log.commit([append(stream, Expected::Any, ["x", "y"])])
            .await?;
    }
    let all = log.all().await?;
    assert_eq!(all.len(), 12);
    assert!(all[0].position > Position::START);
    assert!(all.is_sorted_by(|a, b| a.position < b.position));
    for limit in [1, 2, 5, 11, 12, 13] {
        let (seen, end) = followed(&log.engine, Position::START, limit).await?;
        assert_eq!(seen, all);
        assert_eq!(end, log.mark().await?);
    }
    Ok(())
}

async fn e5_what_was_rolled_back_is_not_seen_and_stalls_nobody(log: Log) -> Verdict {
    log.commit([append("a", Expected::Any, ["x"])]).await?;
    for _ in 0..3 {
        let lost = [
            append("lost", Expected::Any, ["x", "x"]),
            append("a", Expected::Missing, ["x"]),
        ];
        failed(log.commit(lost).await);
    }
    let last = log.commit([append("a", Expected::Any, ["y"])]).await?;
    let page = log.page(0, &EventFilter::default(), 10).await?;
    let places = places(&page.events);
    assert_eq!(places, [("a".to_owned(), 1), ("a".to_owned(), 2)]);
    assert_eq!(Some(page.mark), last.token.position());
    assert_eq!(page.ceiling, page.mark);
    Ok(())
}

async fn e5_events_of_an_archived_stream_are_not_delivered(log: Log) -> Verdict {
    let bystander = append(("acme", "a"), Expected::Any, ["x"]);
    log.commit([
        append("a", Expected::Any, ["x", "y"]),
        append("b", Expected::Any, ["x"]),
        bystander,
        append("a", Expected::Any, ["x"]),
    ])
    .await?;
    let mark = log.mark().await?;
    log.commit([archive("a")]).await?;
    let types = EventFilter {
        types: Some(vec!["x".into(), "y".into()]),
        up_to: None,
    };
    for filter in [EventFilter::default(), types] {
        let page = log.page(0, &filter, 10).await?;
        assert_eq!(
            places(&page.events),
            [("b".to_owned(), 1), ("a".to_owned(), 1)]
        );
        assert_eq!((page.ceiling, page.mark), (mark, mark));
        let page = log.page(0, &filter, 2).await?;
        assert_eq!(page.ceiling, page.events[1].position);
    }
    assert_eq!(log.stream(whole("a")).await?.len(), 3);
    Ok(())
}

async fn e5_events_of_a_removed_stream_are_gone(log: Log) -> Verdict {
    log.commit([
        append("a", Expected::Any, ["x"]),
        append("b", Expected::Any, ["x"]),
        append("c", Expected::Any, ["x"]),
    ])
    .await?;
    log.commit([archive("c"), tombstone("b"), tombstone("c")])
        .await?;
    assert_eq!(places(&log.all().await?), [("a".to_owned(), 1)]);
    assert!(log.stream(whole("b")).await?.is_empty());
    assert!(log.stream(whole("c")).await?.is_empty());
    Ok(())
}

async fn e5_a_position_is_not_given_twice(log: Log) -> Verdict {
    log.commit([append("a", Expected::Any, ["x"])]).await?;
    let last = log.commit([append("b", Expected::Any, ["x"; 3])]).await?;
    let last = last.token.position().expect("events were appended");
    log.commit([tombstone("b")]).await?;
    // The mark does not go back with the events.
    assert_eq!(log.mark().await?, last);
    let reopened = Log {
        engine: log.another().await?,
        world: log.world,
    };
    assert_eq!(reopened.mark().await?, last);
    reopened.commit([append("c", Expected::Any, ["x"])]).await?;
    let all = positions(&reopened.all().await?);
    assert_eq!(all.len(), 2);
    assert!(all[1] > last.get(), "{all:?} after {last}");
    Ok(())
}

/// Two handles append at once, and units fail between, while a third follows.
async fn e5_a_reader_beside_writers_misses_nothing(log: Log) -> Verdict {
    const UNITS: usize = 30;
    let (one, two, reads) = (log.another().await?, log.another().await?, &log.engine);
    let write = async |engine: &Engine, stream: &str| {
        for unit in 0..UNITS {
            let whole = [append(stream, Expected::Any, ["x", "x"])];
            commit(engine, whole).await?;
            if unit % 3 == 0 {
                let lost: [Op; 2] = [
                    append(stream, Expected::Any, ["lost"; 3]),
                    append(stream, Expected::Missing, ["lost"]),
                ];
                failed(commit(engine, lost).await);
            }
        }
        Ok::<_, ermine_core::Error>(())
    };
    let writing = try_join_all([
        write(&one, "a"),
        write(&two, "b"),
        write(&one, "c"),
        write(&two, "d"),
    ]);
    let is_done = AtomicBool::new(false);
    let writing = async {
        writing.await?;
        is_done.store(true, Ordering::Relaxed);
        Ok::<_, ermine_core::Error>(())
    };
    let reading = async {
        let (mut seen, mut after) = (Vec::new(), Position::START);
        loop {
            // Asked before the look: what is written by then is seen by it.
            let is_last = is_done.load(Ordering::Relaxed);
            let (events, end) = followed(reads, after, 3).await?;
            assert!(events.iter().all(|event| event.position > after));
            seen.extend(events);
            after = end;
            if is_last {
                return Ok::<_, ermine_core::Error>(seen);
            }
            reads.wait(after, Duration::from_millis(5)).await?;
        }
    };
    let ((), seen) = try_join(writing, reading).await?;
    assert_eq!(seen.len(), 4 * UNITS * 2);
    assert_eq!(seen, log.all().await?);
    Ok(())
}

async fn e5_the_events_of_another_handle_are_seen(log: Log) -> Verdict {
    let another = log.another().await?;
    for unit in 0..3 {
        let data = unit.to_string();
        let event = holding("x", &data);
        commit(&another, [append_events("a", Expected::Any, [event])]).await?;
        assert_eq!(log.data("a").await?.last(), Some(&data));
        let here = [append("b", Expected::Version(unit), ["x"])];
        log.commit(here).await?;
        let (seen, _) = followed(&another, Position::START, 2).await?;
        assert_eq!(seen, log.all().await?);
    }
    Ok(())
}

async fn e5_waiting_ends_with_an_event_of_any_writer(log: Log) -> Verdict {
    let another = log.another().await?;
    for engine in [&log.engine, &another, &log.engine] {
        let mark = log.mark().await?;
        let ops = [append("a", Expected::Any, ["x"])];
        let waiting = log.engine.wait(mark, LONG);
        let ((), committed) = try_join(waiting, commit(engine, ops)).await?;
        assert!(committed.token.position() > Some(mark));
        // What is there already is not waited for.
        log.engine.wait(mark, LONG).await?;
    }
    let there = log.another().await?;
    there.wait(Position::START, LONG).await?;
    Ok(())
}

async fn e5_waiting_ends_with_its_time(log: Log) -> Verdict {
    log.commit([append("a", Expected::Any, ["x"])]).await?;
    let mark = log.mark().await?;
    log.engine.wait(mark, Duration::ZERO).await?;
    log.engine.wait(mark, Duration::from_millis(20)).await?;
    let begun = log.page(mark.get(), &EventFilter::default(), 1).await?;
    assert!(begun.events.is_empty());
    // One that nobody waits for any more is in nobody's way.
    drop(log.engine.wait(mark, LONG));
    let refusal = log.commit([append("a", Expected::Missing, ["x"])]).await;
    assert_eq!(failed(refusal).kind(), ErrorKind::AlreadyExists);
    Ok(())
}
