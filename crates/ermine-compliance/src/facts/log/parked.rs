//! P10: events that were set aside.

use ermine_core::{Expected, Op, Parked, Position};

use super::kit::{LONG, Log, THEN, advance, append, at, key, of_tenant, park};
use crate::facts::Verdict;

event_facts![
    p10_a_parked_event_is_kept_with_its_reason,
    p10_an_event_parked_again_has_the_new_reason,
    p10_parked_events_are_read_in_pages_by_position,
    p10_a_shard_parks_and_goes_on_in_one_unit,
];

async fn p10_a_parked_event_is_kept_with_its_reason(log: Log) -> Verdict {
    let parked = Parked {
        key: key("s", 7),
        tenant: Some(of_tenant("acme")),
        reason: "no \"content\": Zoë".to_owned(),
        at: at(THEN),
    };
    log.commit([Op::Park(parked.clone()), park("other", 7, "why")])
        .await?;
    assert_eq!(log.parked("s", 0, 10).await?, [parked]);
    assert_eq!(log.parked("other", 0, 10).await?[0].tenant, None);
    log.commit([Op::Unpark(key("s", 7)), Op::Unpark(key("s", 8))])
        .await?;
    assert!(log.parked("s", 0, 10).await?.is_empty());
    assert_eq!(log.parked("other", 0, 10).await?.len(), 1);
    Ok(())
}

/// And the time at which it was first set aside.
async fn p10_an_event_parked_again_has_the_new_reason(log: Log) -> Verdict {
    log.commit([park("s", 7, "one")]).await?;
    let again = Parked {
        key: key("s", 7),
        tenant: None,
        reason: "two".to_owned(),
        at: at(THEN + 60_000_000),
    };
    log.commit([Op::Park(again)]).await?;
    let parked = log.parked("s", 0, 10).await?;
    assert_eq!(parked.len(), 1);
    assert_eq!((parked[0].reason.as_str(), parked[0].at), ("two", at(THEN)));
    Ok(())
}

async fn p10_parked_events_are_read_in_pages_by_position(log: Log) -> Verdict {
    log.commit([30, 4, 100, 5].map(|position| park("s", position, "why")))
        .await?;
    let places = async |after, limit| {
        let parked = log.parked("s", after, limit).await?;
        let place = |one: &Parked| one.key.position.get();
        Ok::<Vec<u64>, ermine_core::Error>(parked.iter().map(place).collect())
    };
    assert_eq!(places(0, 10).await?, [4, 5, 30, 100]);
    assert_eq!(places(0, 2).await?, [4, 5]);
    assert_eq!(places(5, 2).await?, [30, 100]);
    assert!(places(100, 2).await?.is_empty());
    assert!(log.parked("t", 0, 10).await?.is_empty());
    Ok(())
}

async fn p10_a_shard_parks_and_goes_on_in_one_unit(log: Log) -> Verdict {
    log.commit([append("a", Expected::Any, ["x"])]).await?;
    let mark = log.mark().await?.get();
    let epoch = log.take("s", "me", LONG).await?.epoch;
    let batch = [park("s", mark, "why"), advance("s", epoch, 0, mark)];
    log.commit(batch).await?;
    assert_eq!(log.progress("s").await?, Position::at(mark));
    assert_eq!(log.parked("s", 0, 10).await?.len(), 1);
    Ok(())
}
