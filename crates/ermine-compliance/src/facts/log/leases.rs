//! P1, P10, P11: who runs a shard, why it stands still, and how far it is rebuilt.

use std::time::Duration;

use ermine_core::{Epoch, ErrorKind, EventStorage, LeaseOp, LeaseState, Position, Result};
use futures_util::future::join;

use super::kit::{LONG, Log, advance, shard, take};
use crate::facts::Verdict;
use crate::facts::kit::refused;

event_facts![
    p1_a_lease_is_had_by_one,
    p1_a_lease_is_renewed_in_its_epoch,
    p1_a_lease_that_ran_out_is_taken_by_another_in_a_larger_epoch,
    p1_a_lease_that_ran_out_and_nobody_took_goes_on_in_its_epoch,
    p1_a_lease_is_given_up_by_its_holder_only,
    p1_of_those_who_ask_at_once_one_has_the_lease,
    p10_a_pause_is_told_to_everybody_with_its_reason,
    p11_a_rebuild_is_noted_under_the_epoch_of_the_lease,
];

pub(super) async fn pause(log: &Log, name: &str, reason: Option<&str>) -> Result<LeaseState> {
    log.lease(LeaseOp::Pause {
        shard: shard(name),
        reason: reason.map(str::to_owned),
    })
    .await
}

async fn give_up(log: &Log, name: &str, holder: &str) -> Result<LeaseState> {
    log.lease(LeaseOp::GiveUp {
        shard: shard(name),
        holder: holder.to_owned(),
    })
    .await
}

async fn p1_a_lease_is_had_by_one(log: Log) -> Verdict {
    assert!(log.shards().await?.is_empty());
    let mine = log.take("s", "me", LONG).await?;
    assert_eq!(mine.holder.as_deref(), Some("me"));
    assert!(mine.epoch > Epoch::default());
    assert!(mine.remaining <= LONG && mine.remaining > LONG / 2);
    assert_eq!((mine.position, mine.paused), (Position::START, None));
    let others = log
        .another()
        .await?
        .lease(&take("s", "other", LONG))
        .await?;
    assert_eq!(others.holder.as_deref(), Some("me"));
    assert_eq!(others.epoch, mine.epoch);
    assert!(others.remaining > Duration::ZERO);
    let told = log.shards().await?;
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].holder.as_deref(), Some("me"));
    assert_eq!(told[0].epoch, mine.epoch);
    // The other's asking has not disturbed it.
    log.commit([advance("s", mine.epoch, 0, 1)]).await?;
    Ok(())
}

async fn p1_a_lease_is_renewed_in_its_epoch(log: Log) -> Verdict {
    let first = log.take("s", "me", Duration::from_secs(60)).await?;
    let renewed = log.take("s", "me", LONG).await?;
    assert_eq!(renewed.epoch, first.epoch);
    assert!(renewed.remaining > Duration::from_secs(60));
    log.commit([advance("s", first.epoch, 0, 1)]).await?;
    Ok(())
}

async fn p1_a_lease_that_ran_out_is_taken_by_another_in_a_larger_epoch(log: Log) -> Verdict {
    let mut last = Epoch::default();
    for holder in ["one", "two", "one", "three"] {
        let lease = log.take("s", holder, Duration::ZERO).await?;
        assert!(lease.epoch > last);
        assert_eq!(lease.remaining, Duration::ZERO);
        let told = log.shards().await?;
        assert_eq!(
            (told[0].holder.as_ref(), told[0].epoch),
            (None, lease.epoch)
        );
        last = lease.epoch;
    }
    let lease = log.take("s", "four", LONG).await?;
    assert_eq!(lease.holder.as_deref(), Some("four"));
    assert!(lease.epoch > last);
    Ok(())
}

async fn p1_a_lease_that_ran_out_and_nobody_took_goes_on_in_its_epoch(log: Log) -> Verdict {
    let lease = log.take("s", "me", Duration::ZERO).await?;
    log.commit([advance("s", lease.epoch, 0, 1)]).await?;
    let renewed = log.take("s", "me", LONG).await?;
    assert_eq!(renewed.epoch, lease.epoch);
    assert_eq!(renewed.position, Position::at(1));
    Ok(())
}

async fn p1_a_lease_is_given_up_by_its_holder_only(log: Log) -> Verdict {
    let nobodys = give_up(&log, "s", "me").await?;
    assert_eq!((nobodys.holder, nobodys.epoch), (None, Epoch::default()));
    let mine = log.take("s", "me", LONG).await?;
    let kept = give_up(&log, "s", "other").await?;
    assert_eq!(kept.holder.as_deref(), Some("me"));
    let free = give_up(&log, "s", "me").await?;
    assert_eq!((free.holder, free.remaining), (None, Duration::ZERO));
    assert_eq!(log.shards().await?[0].holder, None);
    let others = log.take("s", "other", LONG).await?;
    assert_eq!(others.holder.as_deref(), Some("other"));
    assert!(others.epoch > mine.epoch);
    let late = log.commit([advance("s", mine.epoch, 0, 1)]).await;
    refused(late, ErrorKind::Superseded, &["s"]);
    Ok(())
}

async fn p1_of_those_who_ask_at_once_one_has_the_lease(log: Log) -> Verdict {
    let another = log.another().await?;
    for round in 0..10 {
        let name = format!("shard {round}");
        let (one, two) = (take(&name, "one", LONG), take(&name, "two", LONG));
        let (one, two) = join(log.engine.lease(&one), another.lease(&two)).await;
        let (one, two) = (one?, two?);
        assert!(one.holder.is_some());
        assert_eq!((one.holder, one.epoch), (two.holder, two.epoch));
    }
    Ok(())
}

async fn p10_a_pause_is_told_to_everybody_with_its_reason(log: Log) -> Verdict {
    let mine = log.take("s", "me", LONG).await?;
    let paused = pause(&log, "s", Some("the provider refuses us")).await?;
    assert_eq!(paused.paused.as_deref(), Some("the provider refuses us"));
    // It says so, and takes nothing from the holder.
    assert_eq!(paused.holder.as_deref(), Some("me"));
    let reopened = log.another().await?.lease(&take("s", "me", LONG)).await?;
    assert_eq!(reopened.paused.as_deref(), Some("the provider refuses us"));
    assert_eq!(reopened.epoch, mine.epoch);
    let told = log.shards().await?;
    assert_eq!(told[0].paused.as_deref(), Some("the provider refuses us"));
    let resumed = pause(&log, "s", None).await?;
    assert_eq!(resumed.paused, None);
    assert_eq!(log.shards().await?[0].paused, None);
    // Also before anybody has run it.
    pause(&log, "new", Some("not yet")).await?;
    let taken = log.take("new", "me", LONG).await?;
    assert_eq!(taken.paused.as_deref(), Some("not yet"));
    Ok(())
}

async fn p11_a_rebuild_is_noted_under_the_epoch_of_the_lease(log: Log) -> Verdict {
    let rebuild = async |epoch, up_to: Option<u64>| {
        log.lease(LeaseOp::Rebuild {
            shard: shard("s"),
            epoch,
            up_to: up_to.map(Position::at),
        })
        .await
    };
    let nobodys = rebuild(Epoch::default(), Some(9)).await;
    refused(nobodys, ErrorKind::Superseded, &["s"]);
    let old = log.take("s", "old", Duration::ZERO).await?.epoch;
    let new = log.take("s", "new", LONG).await?.epoch;
    refused(rebuild(old, Some(9)).await, ErrorKind::Superseded, &["s"]);
    let noted = rebuild(new, Some(9)).await?;
    assert_eq!(noted.rebuilding, Some(Position::at(9)));
    assert_eq!(log.shards().await?[0].rebuilding, Some(Position::at(9)));
    refused(rebuild(old, None).await, ErrorKind::Superseded, &["s"]);
    // It outlives its runner, so that the next one ends it.
    give_up(&log, "s", "new").await?;
    let next = log.take("s", "next", LONG).await?;
    assert_eq!(next.rebuilding, Some(Position::at(9)));
    assert_eq!(rebuild(next.epoch, None).await?.rebuilding, None);
    assert_eq!(log.shards().await?[0].rebuilding, None);
    Ok(())
}
