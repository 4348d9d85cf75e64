//! E2: what is said about events by those who write them, and the names of event types.

use ermine_core::{ErrorKind, Event, Result, TenantId, Timestamp};
use ermine_macros::Event;
use ermine_store::{EventBuilder, Store};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::ledger::{Account, AccountEvent, Noted, accounts, deposited, open, opened};
use crate::facts::kit::refused;
use crate::facts::{Verdict, World};

facts![
    e2_an_event_builder_says_all_that_an_envelope_has,
    e2_a_session_speaks_for_all_its_events_and_a_builder_for_one,
    e2_an_event_happened_when_it_was_recorded,
    e2_names_that_collide_are_refused_at_open,
    e2_events_that_were_not_declared_are_refused_by_name,
];

async fn e2_an_event_builder_says_all_that_an_envelope_has(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let id = Uuid::from_u128(0xe);
    let at: Timestamp = "2019-06-01T08:00:00.123456Z".parse()?;
    let mut session = store.session("a");
    session.append(
        "one",
        [EventBuilder::of(opened("Ada"))
            .id(id)
            .at(at)
            .correlation("request 7")
            .causation("message 8")
            .header("user", "eve")],
    );
    session.append("one", [deposited(5)]);
    session.commit().await?;
    let events = session.stream("one").of::<AccountEvent>().await?;
    let first = &events[0];
    assert_eq!((first.id, first.at, first.version), (id, at, 1));
    assert_eq!(first.stream.to_string(), "one");
    assert_eq!(first.tenant, Some(TenantId::new("a")?));
    assert_eq!(first.event_type, AccountEvent::OPENED.name());
    assert_eq!(first.correlation.as_deref(), Some("request 7"));
    assert_eq!(first.causation.as_deref(), Some("message 8"));
    assert_eq!(first.headers.get("user").map(String::as_str), Some("eve"));
    assert_eq!(first.data, opened("Ada"));
    let second = &events[1];
    assert_eq!((&second.correlation, &second.causation), (&None, &None));
    assert!(second.headers.is_empty() && second.id != first.id);
    assert!(first.position < second.position);
    Ok(())
}

async fn e2_a_session_speaks_for_all_its_events_and_a_builder_for_one(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.append("one", [opened("before")]);
    session
        .correlation("request 7")
        .causation("message 8")
        .header("user", "eve")
        .header("host", "h1");
    session.append(
        "one",
        [
            EventBuilder::of(deposited(1)),
            EventBuilder::of(deposited(2))
                .causation("itself")
                .header("user", "mallory"),
        ],
    );
    session.commit().await?;
    session.append("one", [deposited(3)]);
    session.commit().await?;
    let events = session.stream("one").await?;
    let said = events.iter().map(|stored| {
        let event = &stored.event;
        let header = |name: &str| event.headers.get(name).map(String::as_str);
        (
            event.correlation.as_deref(),
            event.causation.as_deref(),
            header("user"),
            header("host"),
        )
    });
    let of_session = (
        Some("request 7"),
        Some("message 8"),
        Some("eve"),
        Some("h1"),
    );
    let of_one = (
        Some("request 7"),
        Some("itself"),
        Some("mallory"),
        Some("h1"),
    );
    let expected = [(None, None, None, None), of_session, of_one, of_session];
    assert_eq!(said.collect::<Vec<_>>(), expected);
    Ok(())
}

async fn e2_an_event_happened_when_it_was_recorded(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    let before = Timestamp::now();
    session.append("one", (0..20).map(deposited));
    let after = Timestamp::now();
    session.commit().await?;
    let events = session.stream("one").await?;
    assert_eq!(events.len(), 20);
    let between = |at: Timestamp| at >= before && at <= after;
    assert!(events.iter().all(|event| between(event.event.at)));
    Ok(())
}

/// A type whose event has the name of another type's.
#[derive(Debug, Event, Serialize, Deserialize)]
#[event(crate = "ermine_core", name = "account.closed")]
struct Closing {}

/// A type whose name is the library's.
struct Reserved;

impl Event for Reserved {
    fn event_types() -> &'static [&'static str] {
        &["ermine.masked"]
    }

    fn event_type(&self) -> &'static str {
        "ermine.masked"
    }

    fn to_data(&self) -> Result<String> {
        Ok("null".to_owned())
    }

    fn from_data(_: &str, _: &str) -> Result<Self> {
        Ok(Self)
    }
}

async fn e2_names_that_collide_are_refused_at_open(world: World) -> Verdict {
    let declared = open(&world, |builder| {
        builder.events::<AccountEvent>().events::<AccountEvent>()
    });
    let Some(_) = declared.await? else {
        return Ok(());
    };
    let both = world.builder().await?;
    let both = both.events::<AccountEvent>().events::<Closing>().open();
    let mentions = ["AccountEvent", "Closing", "account.closed"];
    refused(both.await, ErrorKind::Declaration, &mentions);
    let folded = world.builder().await?;
    let folded = folded.events::<Closing>().snapshot::<Account>().open();
    refused(folded.await, ErrorKind::Declaration, &["account.closed"]);
    let reserved = world.builder().await?.events::<Reserved>().open();
    refused(reserved.await, ErrorKind::Declaration, &["ermine.masked"]);
    Ok(())
}

async fn e2_events_that_were_not_declared_are_refused_by_name(world: World) -> Verdict {
    let Some(store) = open(&world, |builder| builder.events::<AccountEvent>()).await? else {
        return Ok(());
    };
    let noted = Noted {
        text: "text".to_owned(),
    };
    let unknown = ErrorKind::UnknownCollection;
    let mut session = store.session("a");
    session.append("one", [noted]);
    refused(session.commit().await, unknown, &["Noted"]);
    session.append("one", [Closing {}]);
    refused(session.commit().await, unknown, &["Closing"]);
    refused(
        session.stream("one").of::<Noted>().await,
        unknown,
        &["Noted"],
    );
    refused(session.events().of::<Noted>().await, unknown, &["Noted"]);
    let untold = Store::builder(world.engine().await?).open().await?;
    let folded = untold.reader("a").aggregate::<Account>("one").await;
    refused(folded, unknown, &["AccountEvent"]);
    Ok(())
}
