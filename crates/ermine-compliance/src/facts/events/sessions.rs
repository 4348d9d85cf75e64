//! E1, E3: appending in units of work.

use ermine_core::{ErrorKind, StreamId};
use futures_util::future::join_all;
use uuid::Uuid;

use super::ledger::{Account, AccountEvent, Noted, account, accounts, deposited, opened};
use crate::facts::kit::refused;
use crate::facts::{Verdict, World};

facts![
    e1_a_stream_is_started_once,
    e1_an_append_makes_its_stream_and_continues_it,
    e1_an_append_expects_a_version,
    e1_an_expectation_is_judged_without_events,
    e1_of_two_writers_one_loses_with_expected_and_actual,
    e1_of_many_writers_at_once_one_wins_each_version,
    e1_appends_of_one_unit_follow_each_other,
    e1_streams_of_tenants_and_of_none_are_apart,
    e1_a_uuid_and_the_text_that_looks_like_it_name_two_streams,
    e1_mistakes_are_reported_by_commit,
    e3_events_documents_and_snapshots_commit_together,
    e3_a_unit_that_fails_leaves_no_event_and_no_document,
    e3_a_token_has_the_position_of_the_units_last_event,
];

async fn e1_a_stream_is_started_once(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.start("one", [opened("Ada"), deposited(5)]);
    session.commit().await?;
    let state = session.stream_state("one").await?.expect("it exists");
    assert_eq!((state.version, state.archived), (2, false));
    session.start("one", [deposited(7)]);
    refused(session.commit().await, ErrorKind::AlreadyExists, &["one"]);
    assert_eq!(session.stream("one").await?.len(), 2);
    assert_eq!(session.stream_state("two").await?, None);
    Ok(())
}

async fn e1_an_append_makes_its_stream_and_continues_it(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.append("one", [opened("Ada")]);
    session.commit().await?;
    session.append("one", [deposited(5), deposited(7)]);
    session.commit().await?;
    let events = session.stream("one").of::<AccountEvent>().await?;
    let found: Vec<_> = events.iter().map(|e| (e.version, e.data.clone())).collect();
    let expected = [(1, opened("Ada")), (2, deposited(5)), (3, deposited(7))];
    assert_eq!(found, expected);
    Ok(())
}

async fn e1_an_append_expects_a_version(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.append_expecting("one", 0, [opened("Ada"), deposited(5)]);
    session.commit().await?;
    session.append_expecting("one", 2, [deposited(7)]);
    session.commit().await?;
    for wrong in [0, 2, 9] {
        session.append_expecting("one", wrong, [deposited(11)]);
        let expected = format!("version {wrong} ");
        let mentions = ["one", expected.as_str(), "version 3"];
        refused(session.commit().await, ErrorKind::Conflict, &mentions);
    }
    session.append_expecting("two", 1, [deposited(11)]);
    let mentions = ["two", "version 1 ", "version 0"];
    refused(session.commit().await, ErrorKind::Conflict, &mentions);
    assert_eq!(session.stream_state("two").await?, None);
    assert_eq!(session.stream("one").await?.len(), 3);
    Ok(())
}

async fn e1_an_expectation_is_judged_without_events(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let none: [AccountEvent; 0] = [];
    let mut session = store.session("a");
    session.append("one", [opened("Ada")]);
    session.commit().await?;
    session.append_expecting("one", 1, none.clone());
    session.append("two", [opened("Bob")]);
    session.commit().await?;
    session.append_expecting("one", 2, none.clone());
    session.append("two", [deposited(1)]);
    refused(session.commit().await, ErrorKind::Conflict, &["one"]);
    session.start("one", none.clone());
    refused(session.commit().await, ErrorKind::AlreadyExists, &["one"]);
    session.append("three", none);
    session.commit().await?;
    assert_eq!(session.stream_state("three").await?, None);
    assert_eq!(session.stream("two").await?.len(), 1);
    Ok(())
}

async fn e1_of_two_writers_one_loses_with_expected_and_actual(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let mut first = store.session("a");
    let mut second = store.session("a");
    first.start("one", [opened("Ada")]);
    first.commit().await?;
    let mut seen_by_first = first.fetch_for_writing::<Account>("one").await?;
    let mut seen_by_second = second.fetch_for_writing::<Account>("one").await?;
    assert_eq!(seen_by_first.version(), 1);
    let balance = seen_by_first.state().map(|account| account.balance);
    assert_eq!(balance, Some(0));
    seen_by_first.append(&mut first, [deposited(5)]);
    seen_by_first.append(&mut first, [deposited(7)]);
    assert_eq!(seen_by_first.version(), 3);
    first.commit().await?;
    seen_by_second.append(&mut second, [deposited(11)]);
    let lost = second.commit().await;
    assert!(lost.as_ref().is_err_and(ermine_core::Error::is_conflict));
    refused(
        lost,
        ErrorKind::Conflict,
        &["one", "version 1 ", "version 3"],
    );
    let left = account(&store.reader("a"), "one").await?;
    assert_eq!(left.map(|account| account.balance), Some(12));

    let mut missing = second.fetch_for_writing::<Account>("two").await?;
    assert!(missing.state().is_none() && missing.version() == 0);
    missing.append(&mut second, [opened("Bob")]);
    second.commit().await?;
    // What was read for one tenant is not appended to for another.
    let mut others = store.session("b");
    missing.append(&mut others, [deposited(1)]);
    refused(others.commit().await, ErrorKind::Tenancy, &["two"]);
    Ok(())
}

async fn e1_of_many_writers_at_once_one_wins_each_version(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.start("one", [opened("Ada")]);
    session.commit().await?;
    for version in 1..=5 {
        let writers = (0..6).map(|writer| {
            let mut session = store.session("a");
            async move {
                session.append_expecting("one", version, [deposited(writer)]);
                session.commit().await
            }
        });
        let outcomes = join_all(writers).await;
        let lost = outcomes.iter().filter_map(|outcome| outcome.as_ref().err());
        let lost: Vec<_> = lost.collect();
        assert_eq!(lost.len(), 5, "one of six wins version {version}");
        assert!(
            lost.iter().all(|e| e.kind() == ErrorKind::Conflict),
            "{lost:?}"
        );
    }
    account(&store.reader("a"), "one").await?;
    assert_eq!(session.stream("one").await?.len(), 6);
    Ok(())
}

async fn e1_appends_of_one_unit_follow_each_other(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let note = |text: &str| Noted {
        text: text.to_owned(),
    };
    let mut session = store.session("a");
    session.append("one", [opened("Ada")]);
    session.append("two", [note("between")]);
    session.append("one", [note("second")]);
    session.append_expecting("one", 2, [deposited(5)]);
    session.commit().await?;
    let events = session.stream("one").await?;
    let found = events
        .iter()
        .map(|e| (e.version, e.event.event_type.as_str()));
    let expected = [
        (1, "account.opened"),
        (2, "noted"),
        (3, "account.deposited"),
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
    let ada = account(&store.reader("a"), "one")
        .await?
        .expect("it exists");
    assert_eq!((ada.balance, ada.versions), (5, vec![1, 3]));
    session.append("one", [deposited(7)]);
    session.append_expecting("one", 3, [deposited(11)]);
    refused(session.commit().await, ErrorKind::Conflict, &["one"]);
    assert_eq!(session.stream("one").await?.len(), 3);
    Ok(())
}

async fn e1_streams_of_tenants_and_of_none_are_apart(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    for (tenant, owner) in [("a", "Ada"), ("b", "Bob")] {
        let mut session = store.session(tenant);
        session.start("one", [opened(owner)]);
        session.commit().await?;
    }
    let mut session = store.session_without_tenant();
    session.start(
        "one",
        [Noted {
            text: "of nobody".to_owned(),
        }],
    );
    session.commit().await?;
    for (tenant, owner) in [("a", "Ada"), ("b", "Bob")] {
        let found = account(&store.reader(tenant), "one").await?;
        assert_eq!(found.map(|account| account.owner).as_deref(), Some(owner));
    }
    let events = store.reader_without_tenant().stream("one").await?;
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].tenant, None);
    assert_eq!(store.reader("c").stream("one").await?, []);

    let of_b = store.reader("b").events().await?;
    let tenants = of_b.events.iter().map(|event| event.tenant.as_ref());
    let tenants: Vec<_> = tenants.map(|t| t.map(|t| t.as_str())).collect();
    assert_eq!(tenants, [Some("b")]);
    let of_none = store.reader_without_tenant().events().await?;
    assert_eq!(of_none.events, events);
    let of_all = store.across_tenants().events().await?;
    assert_eq!(of_all.events.len(), 3);
    assert_eq!(of_all.ceiling, of_b.ceiling);
    Ok(())
}

async fn e1_a_uuid_and_the_text_that_looks_like_it_name_two_streams(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let id = Uuid::from_u128(7);
    let note = |text: &str| Noted {
        text: text.to_owned(),
    };
    let mut session = store.session("a");
    session.start(id, [note("by uuid")]);
    session.start(id.to_string(), [note("by text")]);
    session.commit().await?;
    let by_uuid = session.stream(id).of::<Noted>().await?;
    assert_eq!(by_uuid.len(), 1);
    assert_eq!(by_uuid[0].data.text, "by uuid");
    assert_eq!(by_uuid[0].stream, StreamId::from(id));
    let by_text = session.stream(id.to_string()).of::<Noted>().await?;
    assert_eq!(by_text[0].data.text, "by text");
    Ok(())
}

async fn e1_mistakes_are_reported_by_commit(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.append("", [opened("Ada")]);
    session.append("one", [opened("Ada")]);
    refused(session.commit().await, ErrorKind::InvalidValue, &["\"\""]);
    assert_eq!(
        session.stream_state("one").await?,
        None,
        "nothing is written"
    );
    refused(session.stream("").await, ErrorKind::InvalidValue, &["\"\""]);
    let mut nobody = store.session("");
    nobody.append("one", [opened("Ada")]);
    refused(nobody.commit().await, ErrorKind::Tenancy, &["empty"]);
    session.header("nul", "a\0b").append("one", [opened("Ada")]);
    refused(
        session.commit().await,
        ErrorKind::InvalidValue,
        &["one", "U+0000"],
    );
    Ok(())
}

async fn e3_events_documents_and_snapshots_commit_together(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.start("one", [opened("Ada"), deposited(5)]);
    session.start("two", [opened("Bob")]);
    assert_eq!(session.pending(), 2);
    assert_eq!(session.load::<Account>("one").await?, None);
    assert_eq!(session.stream("one").await?, []);
    session.commit().await?;
    assert_eq!(session.pending(), 0);
    let reader = store.reader("a");
    let one = account(&reader, "one").await?.expect("it exists");
    assert_eq!((one.owner.as_str(), one.balance), ("Ada", 5));
    assert!(account(&reader, "two").await?.is_some());
    let rich = reader.query::<Account>().filter(Account::BALANCE.ge(5));
    assert_eq!(rich.await?.len(), 1);
    let hits = reader.search::<Account>().matching("ada").await?;
    assert_eq!(hits.len(), 1);
    Ok(())
}

async fn e3_a_unit_that_fails_leaves_no_event_and_no_document(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.start("one", [opened("Ada")]);
    session.commit().await?;
    session.append("one", [deposited(5)]);
    session.start("two", [opened("Bob")]);
    session.start("one", [opened("Eve")]);
    refused(session.commit().await, ErrorKind::AlreadyExists, &["one"]);
    let reader = store.reader("a");
    let one = account(&reader, "one").await?.expect("it exists");
    assert_eq!((one.owner.as_str(), one.balance), ("Ada", 0));
    assert_eq!(account(&reader, "two").await?, None);
    assert_eq!(reader.stream_state("two").await?, None);
    let events = store.across_tenants().events().await?;
    assert_eq!(events.events.len(), 1);
    Ok(())
}

async fn e3_a_token_has_the_position_of_the_units_last_event(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.start("one", [opened("Ada"), deposited(5)]);
    session.start("two", [opened("Bob")]);
    let token = session.commit().await?;
    let last = session.stream("two").await?;
    assert_eq!(token.position(), last.last().map(|event| event.position));
    let found = session.query::<Account>().at_least(token).await?;
    assert_eq!(found.len(), 2);
    session.append("one", [deposited(7)]);
    let later = session.commit().await?;
    assert!(later > token && later.position() > token.position());
    Ok(())
}
