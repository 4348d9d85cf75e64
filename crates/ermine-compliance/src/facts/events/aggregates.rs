//! E4: what streams add up to, and reading them.

use ermine_core::{Aggregate, Envelope, Error, ErrorKind, Result, Timestamp};
use ermine_store::EventBuilder;

use super::ledger::{Account, AccountEvent, Noted, account, accounts, deposited, opened};
use crate::facts::kit::refused;
use crate::facts::{Verdict, World};

facts![
    e4_a_live_fold_goes_to_a_version,
    e4_a_live_fold_goes_to_a_time_by_the_longest_prefix,
    e4_a_stream_that_comes_to_nothing_is_nothing,
    e4_a_stream_is_read_by_versions_and_by_time,
    e4_a_long_stream_is_read_and_folded_in_pages,
    e4_a_fold_that_refuses_an_event_is_an_error_naming_it,
];

async fn e4_a_live_fold_goes_to_a_version(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.append("one", [opened("Ada"), deposited(5), deposited(7)]);
    session.commit().await?;
    for (version, balance) in [(1, 0), (2, 5), (3, 12), (4, 12)] {
        let then = session.aggregate::<Account>("one").at_version(version);
        let then = then.await?.expect("it was opened");
        assert_eq!((then.id.as_str(), then.balance), ("one", balance));
    }
    let before = session.aggregate::<Account>("one").at_version(0);
    assert_eq!(before.await?, None);
    let never = session.aggregate::<Account>("two");
    assert_eq!(never.await?, None);
    Ok(())
}

async fn e4_a_live_fold_goes_to_a_time_by_the_longest_prefix(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let at = |second: i64| Timestamp::from_unix_micros(second * 1_000_000);
    let mut session = store.session("a");
    // The third event was written down late: nothing behind it is seen before its time.
    let events = [
        (10, opened("Ada")),
        (20, deposited(1)),
        (50, deposited(2)),
        (30, deposited(4)),
        (60, deposited(8)),
    ];
    for (second, event) in events {
        session.append("one", [EventBuilder::of(event).at(at(second)?)]);
    }
    session.commit().await?;
    let expected = [
        (9, None),
        (10, Some(0)),
        (20, Some(1)),
        (29, Some(1)),
        (30, Some(1)),
        (49, Some(1)),
        (50, Some(7)),
        (59, Some(7)),
        (60, Some(15)),
        (99, Some(15)),
    ];
    for (second, balance) in expected {
        let then = session.aggregate::<Account>("one").at_time(at(second)?);
        let then = then.await?.map(|account| account.balance);
        assert_eq!(then, balance, "at {second} s");
    }
    let both = session.aggregate::<Account>("one");
    let both = both.at_time(at(50)?).at_version(3).await?;
    assert_eq!(both.map(|account| account.balance), Some(3));
    let until = session.stream("one").until(at(40)?).await?;
    assert_eq!(until.len(), 2);
    let from = session.stream("one").from_version(4).until(at(40)?).await?;
    assert_eq!(from, [], "the prefix is the stream's, not the part's");
    Ok(())
}

async fn e4_a_stream_that_comes_to_nothing_is_nothing(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let reader = store.reader("a");
    let mut session = store.session("a");
    session.append("one", [opened("Ada"), deposited(5), AccountEvent::Closed]);
    session.append("two", [deposited(5)]);
    session.commit().await?;
    assert_eq!(account(&reader, "one").await?, None);
    assert_eq!(account(&reader, "two").await?, None);
    session.append("one", [opened("Eve")]);
    session.commit().await?;
    let again = account(&reader, "one").await?.expect("it is opened again");
    assert_eq!((again.owner.as_str(), again.versions), ("Eve", vec![4]));
    session.append("one", [AccountEvent::Closed]);
    session.commit().await?;
    assert_eq!(account(&reader, "one").await?, None);
    let hits = reader.search::<Account>().matching("eve").await?;
    assert!(hits.is_empty());
    Ok(())
}

async fn e4_a_stream_is_read_by_versions_and_by_time(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.append("one", (1..=7).map(deposited));
    session.append(
        "one",
        [Noted {
            text: "of another type".to_owned(),
        }],
    );
    session.append("one", [deposited(9)]);
    session.commit().await?;
    let versions = |events: Vec<ermine_core::StoredEvent>| -> Vec<u64> {
        events.iter().map(|event| event.version).collect()
    };
    let part = session.stream("one").from_version(3).to_version(5).await?;
    assert_eq!(versions(part), [3, 4, 5]);
    let end = session.stream("one").from_version(8).await?;
    assert_eq!(versions(end), [8, 9]);
    let all = session.stream("one").from_version(0).await?;
    assert_eq!(all.len(), 9);
    for (from, to) in [(10, 20), (5, 4), (1, 0)] {
        let none = session.stream("one").from_version(from).to_version(to);
        assert_eq!(none.await?, [], "{from} to {to}");
    }
    let notes = session.stream("one").of::<Noted>().await?;
    let notes: Vec<_> = notes.iter().map(|note| note.version).collect();
    assert_eq!(notes, [8]);
    let mut pages = session.stream("one").page_size(3).pages();
    let mut seen = Vec::new();
    while let Some(page) = pages.next().await? {
        seen.push(versions(page));
    }
    assert_eq!(seen, [[1, 2, 3], [4, 5, 6], [7, 8, 9]]);
    assert_eq!(pages.next().await?, None);
    let none = session.stream("one").page_size(0).await;
    refused(none, ErrorKind::InvalidOption, &["0 events"]);
    Ok(())
}

async fn e4_a_long_stream_is_read_and_folded_in_pages(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.start("one", [opened("Ada")]);
    session.append("one", (1..=1199).map(deposited));
    session.commit().await?;
    let reader = store.reader("a");
    let sum = 1199 * 1200 / 2;
    let folded = account(&reader, "one").await?.expect("it exists");
    assert_eq!((folded.balance, folded.versions.len()), (sum, 1200));
    let seen = session.fetch_for_writing::<Account>("one").await?;
    assert_eq!(seen.version(), 1200);
    assert_eq!(seen.into_state().map(|account| account.balance), Some(sum));
    session.append("one", [deposited(1)]);
    session.commit().await?;
    let folded = account(&reader, "one").await?.expect("it exists");
    assert_eq!(folded.balance, sum + 1);
    let events = reader.stream("one").await?;
    let versions: Vec<u64> = events.iter().map(|event| event.version).collect();
    assert_eq!(versions, (1..=1201).collect::<Vec<_>>());
    Ok(())
}

/// A fold that bears no closing.
#[derive(Debug)]
struct Endless;

impl Aggregate for Endless {
    type Event = AccountEvent;

    fn fold(_: Option<Self>, event: &Envelope<AccountEvent>) -> Result<Option<Self>> {
        match event.data {
            AccountEvent::Closed => Err(Error::new(ErrorKind::InvalidValue, "nothing ends")),
            _ => Ok(Some(Self)),
        }
    }
}

async fn e4_a_fold_that_refuses_an_event_is_an_error_naming_it(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.append("one", [opened("Ada"), AccountEvent::Closed, deposited(5)]);
    session.commit().await?;
    let folded = session.aggregate::<Endless>("one").await;
    let mentions = ["event 2", "one", "account.closed", "nothing ends"];
    refused(folded, ErrorKind::InvalidValue, &mentions);
    assert!(
        session
            .aggregate::<Endless>("one")
            .at_version(1)
            .await?
            .is_some()
    );
    Ok(())
}
