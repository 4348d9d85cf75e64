//! P15: what tombstones and masks leave behind.

use ermine_core::{ErrorKind, StoredEvent};
use ermine_store::Reader;

use super::ledger::{Account, AccountEvent, account, accounts, deposited, opened, renamed};
use crate::facts::kit::{failed, refused};
use crate::facts::provider::Scribe;
use crate::facts::{Verdict, World};

facts![
    p15_a_tombstone_leaves_nothing_to_find,
    p15_a_mask_leaves_nothing_of_the_old_text_to_find,
    p15_a_mask_of_what_a_snapshot_hides_reaches_it,
    p15_a_mask_of_an_archived_stream_removes_its_snapshot,
    p15_a_mask_fits_the_event_it_replaces,
    p15_a_tombstone_follows_what_its_unit_appends,
];

/// Asserts that no search and no query of any scope finds a word, and that no event holds it.
async fn assert_gone(reader: &Reader<ermine_core::Engine>, word: &str) -> Verdict {
    let by_text = reader
        .search::<Account>()
        .matching(word)
        .including_deleted();
    assert!(by_text.await?.is_empty(), "{word} is found by text");
    let old = Scribe::vector(word);
    let by_vector = reader
        .search::<Account>()
        .nearest_to(&old)
        .including_deleted();
    let by_vector = by_vector.await?;
    let at_the_place = by_vector.iter().filter(|hit| hit.distance.value() == 0.0);
    assert_eq!(at_the_place.count(), 0, "{word}'s vector is found");
    let owned = reader.query::<Account>().including_deleted();
    let owned = owned.filter(Account::OWNER.eq(word));
    assert_eq!(owned.count().await?, 0, "{word} is found by a filter");
    let holds = |event: &StoredEvent| event.event.data.contains(word);
    assert!(!reader.stream("one").await?.iter().any(holds));
    assert!(!reader.events().await?.events.iter().any(holds));
    Ok(())
}

async fn p15_a_tombstone_leaves_nothing_to_find(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let reader = store.reader("a");
    let mut session = store.session("a");
    session.start("one", [opened("Wilhelmina"), deposited(5)]);
    session.start("two", [opened("Bob")]);
    session.commit().await?;
    let mut others = store.session("b");
    others.start("one", [opened("Wilhelmina")]);
    others.commit().await?;
    session.tombstone("one");
    session.tombstone("never");
    session.commit().await?;
    assert_gone(&reader, "Wilhelmina").await?;
    assert_eq!(account(&reader, "one").await?, None);
    assert_eq!(reader.stream("one").await?, []);
    assert_eq!(reader.stream_state("never").await?, None);
    assert!(account(&reader, "two").await?.is_some());
    let of_others = account(&store.reader("b"), "one").await?;
    assert!(of_others.is_some(), "another tenant's stream is untouched");
    // Its name stays taken.
    session.start("one", [opened("Eve")]);
    failed(session.commit().await);
    session.append("one", [opened("Eve")]);
    failed(session.commit().await);
    assert_eq!(account(&reader, "one").await?, None);
    Ok(())
}

async fn p15_a_mask_leaves_nothing_of_the_old_text_to_find(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let reader = store.reader("a");
    let mut session = store.session("a");
    session.start("one", [opened("Wilhelmina"), deposited(5)]);
    session.commit().await?;
    let before = reader.stream("one").await?;
    session.mask("one", 1, &opened("x"));
    let token = session.commit().await?;
    assert_gone(&reader, "Wilhelmina").await?;
    let masked = account(&reader, "one").await?.expect("it exists");
    assert_eq!((masked.owner.as_str(), masked.balance), ("x", 5));
    let after = reader.stream("one").of::<AccountEvent>().await?;
    assert_eq!(after.len(), 2);
    assert_eq!(after[0].data, opened("x"));
    assert_eq!(
        (after[0].id, after[0].at),
        (before[0].event.id, before[0].event.at)
    );
    // Whoever follows the events is told, by an event of the stream.
    let last = reader.stream("one").from_version(3).await?;
    assert_eq!(last.len(), 1);
    assert_eq!(last[0].event.event_type, "ermine.masked");
    assert_eq!(token.position(), Some(last[0].position));
    // Two masks and an append in one unit, the masked event still in its place.
    session.append("one", [renamed("Mallory")]);
    session.mask("one", 1, &opened("y"));
    session.mask_data("one", 4, "{\"owner\":\"z\"}");
    session.commit().await?;
    assert_gone(&reader, "Mallory").await?;
    let masked = account(&reader, "one").await?.expect("it exists");
    assert_eq!((masked.owner.as_str(), masked.balance), ("z", 5));
    let types = reader.stream("one").from_version(4).await?;
    let types: Vec<_> = types.iter().map(|e| e.event.event_type.as_str()).collect();
    assert_eq!(types, ["account.renamed", "ermine.masked"]);
    Ok(())
}

async fn p15_a_mask_of_what_a_snapshot_hides_reaches_it(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let reader = store.reader("a");
    let mut session = store.session("a");
    session.start("one", [opened("Wilhelmina"), AccountEvent::Closed]);
    session.start("two", [opened("Bob")]);
    session.append("two", [AccountEvent::Closed]);
    session.commit().await?;
    session.mask("one", 1, &opened("x"));
    session.commit().await?;
    assert_gone(&reader, "Wilhelmina").await?;
    assert_eq!(account(&reader, "one").await?, None);
    let hidden = reader.query::<Account>().deleted().await?;
    let hidden: Vec<_> = hidden
        .iter()
        .map(|account| account.owner.as_str())
        .collect();
    assert!(!hidden.contains(&"Wilhelmina"), "{hidden:?}");
    Ok(())
}

async fn p15_a_mask_of_an_archived_stream_removes_its_snapshot(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let reader = store.reader("a");
    let mut session = store.session("a");
    session.start("one", [opened("Wilhelmina"), deposited(5)]);
    session.archive("one");
    session.start("two", [opened("Wilhelmina")]);
    session.commit().await?;
    session.mask("one", 1, &opened("x"));
    session.mask("two", 1, &opened("y"));
    session.archive("two");
    session.commit().await?;
    assert_gone(&reader, "Wilhelmina").await?;
    assert_eq!(reader.load::<Account>("one").await?, None);
    let state = reader.stream_state("one").await?.expect("it exists");
    assert_eq!((state.version, state.archived), (2, true));
    let live = reader
        .aggregate::<Account>("one")
        .await?
        .expect("it adds up");
    assert_eq!((live.owner.as_str(), live.balance), ("x", 5));
    // One that was open when the unit began is folded anew.
    let two = account(&reader, "two").await?.expect("it exists");
    assert_eq!(two.owner, "y");
    Ok(())
}

async fn p15_a_mask_fits_the_event_it_replaces(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.start("one", [opened("Ada"), deposited(5)]);
    session.commit().await?;
    let before = session.stream("one").await?;
    session.mask("one", 3, &deposited(0));
    refused(session.commit().await, ErrorKind::Missing, &["one", "3"]);
    session.mask("never", 1, &deposited(0));
    refused(session.commit().await, ErrorKind::Missing, &["never"]);
    session.mask("one", 1, &deposited(0));
    let mentions = ["event 1", "account.opened", "account.deposited"];
    refused(session.commit().await, ErrorKind::InvalidValue, &mentions);
    for unfit in ["", "null", "{\"owner\":7}", "{\"owner\":\"x\""] {
        session.mask_data("one", 1, unfit);
        let mentions = ["event 1", "one", "account.opened"];
        refused(session.commit().await, ErrorKind::InvalidValue, &mentions);
    }
    assert_eq!(session.stream("one").await?, before);
    session.mask("", 1, &deposited(0));
    refused(session.commit().await, ErrorKind::InvalidValue, &["\"\""]);
    Ok(())
}

async fn p15_a_tombstone_follows_what_its_unit_appends(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let reader = store.reader("a");
    let mut session = store.session("a");
    session.start("one", [opened("Wilhelmina")]);
    session.append("one", [deposited(5)]);
    session.tombstone("one");
    session.commit().await?;
    assert_gone(&reader, "Wilhelmina").await?;
    assert_eq!(account(&reader, "one").await?, None);
    session.start("two", [opened("Bob")]);
    session.commit().await?;
    session.tombstone("two");
    session.append("two", [deposited(5)]);
    failed(session.commit().await);
    assert!(
        account(&reader, "two").await?.is_some(),
        "nothing is written"
    );
    Ok(())
}
