//! P1: progress is guarded by where the shard is and by the epoch of its lease.

use std::time::Duration;

use ermine_core::{Epoch, ErrorKind, Expected, Position};
use futures_util::future::join;

use super::kit::{LONG, Log, advance, append, commit, park};
use super::leases::pause;
use crate::facts::Verdict;
use crate::facts::kit::refused;

event_facts![
    p1_progress_moves_with_what_its_batch_writes,
    p1_a_batch_from_elsewhere_writes_nothing,
    p1_a_batch_of_an_earlier_epoch_writes_nothing,
    p1_a_shard_that_was_never_leased_is_moved_by_nobody,
    p1_the_batches_of_a_page_hold_the_shard_until_the_last_moves_it,
    p1_of_two_batches_at_once_one_is_written,
    p1_shards_are_apart,
];

async fn p1_progress_moves_with_what_its_batch_writes(log: Log) -> Verdict {
    let epoch = log.take("s", "me", LONG).await?.epoch;
    assert_eq!(log.progress("s").await?, Position::START);
    log.commit([
        append("row", Expected::Missing, ["made"]),
        advance("s", epoch, 0, 7),
    ])
    .await?;
    assert_eq!(log.progress("s").await?, Position::at(7));
    assert_eq!(log.version("row").await?, 1);
    // A rebuild may set it back.
    log.commit([advance("s", epoch, 7, 3)]).await?;
    assert_eq!(log.take("s", "me", LONG).await?.position, Position::at(3));
    Ok(())
}

async fn p1_a_batch_from_elsewhere_writes_nothing(log: Log) -> Verdict {
    let epoch = log.take("s", "me", LONG).await?.epoch;
    log.commit([advance("s", epoch, 0, 7)]).await?;
    for from in [0, 6, 8] {
        let batch = [
            append("row", Expected::Any, ["made"]),
            park("s", 7, "why"),
            advance("s", epoch, from, 9),
        ];
        let refusal = log.commit(batch).await;
        refused(refusal, ErrorKind::Superseded, &["s", "position 7"]);
    }
    assert_eq!(log.progress("s").await?, Position::at(7));
    assert_eq!(log.version("row").await?, 0);
    assert!(log.parked("s", 0, 10).await?.is_empty());
    Ok(())
}

async fn p1_a_batch_of_an_earlier_epoch_writes_nothing(log: Log) -> Verdict {
    let old = log.take("s", "old", Duration::ZERO).await?.epoch;
    let new = log.take("s", "new", LONG).await?.epoch;
    for epoch in [old, Epoch::at(new.get() + 1)] {
        let batch = [
            append("row", Expected::Any, ["made"]),
            advance("s", epoch, 0, 9),
        ];
        refused(log.commit(batch).await, ErrorKind::Superseded, &["s"]);
    }
    assert_eq!(log.version("row").await?, 0);
    assert_eq!(log.progress("s").await?, Position::START);
    log.commit([advance("s", new, 0, 9)]).await?;
    assert_eq!(log.progress("s").await?, Position::at(9));
    Ok(())
}

async fn p1_a_shard_that_was_never_leased_is_moved_by_nobody(log: Log) -> Verdict {
    for epoch in [Epoch::default(), Epoch::at(1)] {
        let refusal = log.commit([advance("s", epoch, 0, 1)]).await;
        refused(refusal, ErrorKind::Superseded, &["s"]);
    }
    // Told to stand still, it is there, and still nobody's.
    pause(&log, "s", Some("not yet")).await?;
    let refusal = log.commit([advance("s", Epoch::default(), 0, 1)]).await;
    refused(refusal, ErrorKind::Superseded, &["s"]);
    assert_eq!(log.progress("s").await?, Position::START);
    Ok(())
}

async fn p1_the_batches_of_a_page_hold_the_shard_until_the_last_moves_it(log: Log) -> Verdict {
    let epoch = log.take("s", "me", LONG).await?.epoch;
    for (to, version) in [(0, 1), (0, 2), (5, 3)] {
        let batch = [
            advance("s", epoch, 0, to),
            append("row", Expected::Any, ["made"]),
        ];
        log.commit(batch).await?;
        assert_eq!(log.progress("s").await?, Position::at(to));
        assert_eq!(log.version("row").await?, version);
    }
    Ok(())
}

async fn p1_of_two_batches_at_once_one_is_written(log: Log) -> Verdict {
    let another = log.another().await?;
    let epoch = log.take("s", "me", LONG).await?.epoch;
    for from in 0..10 {
        let batch = || {
            [
                append("row", Expected::Any, ["made"]),
                advance("s", epoch, from, from + 1),
            ]
        };
        let (one, two) = join(log.commit(batch()), commit(&another, batch())).await;
        let lost = match (one, two) {
            (Ok(_), Err(lost)) | (Err(lost), Ok(_)) => lost,
            other => panic!("one of two batches is written: {other:?}"),
        };
        assert_eq!(lost.kind(), ErrorKind::Superseded, "{lost}");
        assert_eq!(log.version("row").await?, from + 1);
    }
    Ok(())
}

async fn p1_shards_are_apart(log: Log) -> Verdict {
    let b = log.take("b", "me", LONG).await?.epoch;
    let a = log.take("a", "other", LONG).await?.epoch;
    log.commit([advance("b", b, 0, 4)]).await?;
    log.commit([advance("a", a, 0, 2)]).await?;
    let shards = log.shards().await?;
    let told: Vec<_> = shards
        .iter()
        .map(|state| {
            let holder = state.holder.as_deref();
            (state.shard.as_str(), state.position.get(), holder)
        })
        .collect();
    assert_eq!(told, [("a", 2, Some("other")), ("b", 4, Some("me"))]);
    Ok(())
}
