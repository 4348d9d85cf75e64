//! E2: events of old names, read as today's.

use ermine_core::{
    Append, Engine, Error, ErrorKind, EventFilter, EventStorage, Expected, NewEvent, Op, Position,
    Storage, StreamId, TenantId, Timestamp, Unit, new_id,
};
use ermine_store::StoreBuilder;

use super::ledger::{Account, AccountEvent, account, deposited, open, opened};
use crate::facts::kit::refused;
use crate::facts::provider::Scribe;
use crate::facts::{Verdict, World};

facts![
    e2_an_old_event_is_read_as_todays_on_every_path,
    e2_a_filter_by_type_finds_what_is_stored_under_old_names,
    e2_an_event_that_cannot_be_upcast_is_an_error_naming_it,
    e2_upcasts_that_lead_nowhere_are_refused_at_open,
];

/// `account.begun` held a bare text, `account.started` an object with another key.
fn upcasting(builder: StoreBuilder<Engine>) -> StoreBuilder<Engine> {
    builder
        .upcast("account.started", "account.opened", |data| {
            if data.contains("spoilt") {
                return Err(Error::new(ErrorKind::Body, "it is spoilt"));
            }
            Ok(data.replace("\"name\"", "\"owner\""))
        })
        .upcast("account.begun", "account.started", |data| {
            Ok(format!("{{\"name\":{data}}}"))
        })
}

fn accounts(builder: StoreBuilder<Engine>) -> StoreBuilder<Engine> {
    upcasting(builder.snapshot::<Account>().embeddings(Scribe::new()))
}

/// Appends what an older program wrote.
async fn wrote(engine: &Engine, stream: &str, event_type: &str, data: &str) -> Verdict {
    let event = NewEvent {
        id: new_id(),
        event_type: event_type.to_owned(),
        at: Timestamp::now(),
        correlation: None,
        causation: None,
        headers: Default::default(),
        data: data.to_owned(),
    };
    let append = Append {
        tenant: Some(TenantId::new("a")?),
        stream: StreamId::text(stream)?,
        expected: Expected::Any,
        events: vec![event],
    };
    let ops = vec![Op::Append(append)];
    engine.commit(&Unit { ops }).await.map(drop)
}

async fn e2_an_old_event_is_read_as_todays_on_every_path(world: World) -> Verdict {
    let Some(store) = open(&world, accounts).await? else {
        return Ok(());
    };
    let engine = world.engine().await?;
    wrote(&engine, "one", "account.begun", "\"Ada\"").await?;
    wrote(&engine, "two", "account.started", "{\"name\":\"Bob\"}").await?;
    let mut session = store.session("a");
    for (stream, owner) in [("one", "Ada"), ("two", "Bob")] {
        let stored = session.stream(stream).await?;
        assert_eq!(stored[0].event.event_type, "account.opened");
        let read = session.stream(stream).of::<AccountEvent>().await?;
        assert_eq!(read[0].data, opened(owner));
        assert_eq!(read[0].event_type, AccountEvent::OPENED.name());
        let live = session.aggregate::<Account>(stream).await?;
        assert_eq!(live.map(|account| account.owner).as_deref(), Some(owner));
        let seen = session.fetch_for_writing::<Account>(stream).await?;
        assert_eq!(
            seen.state().map(|account| account.owner.as_str()),
            Some(owner)
        );
        session.append(stream, [deposited(5)]);
    }
    session.commit().await?;
    for (stream, owner) in [("one", "Ada"), ("two", "Bob")] {
        let folded = account(&store.reader("a"), stream).await?;
        let folded = folded.map(|account| (account.owner, account.balance));
        assert_eq!(folded, Some((owner.to_owned(), 5)));
    }
    let page = session.events().await?;
    let first = &page.events[0];
    assert_eq!(first.event.event_type, "account.opened");
    assert_eq!(first.read::<AccountEvent>()?, opened("Ada"));
    // What is stored stays as it was written.
    let everything = EventFilter::default();
    let raw = engine.events(Position::START, &everything, 10).await?;
    assert_eq!(raw.events[0].event.event_type, "account.begun");
    assert_eq!(raw.events[0].event.data, "\"Ada\"");
    Ok(())
}

async fn e2_a_filter_by_type_finds_what_is_stored_under_old_names(world: World) -> Verdict {
    let Some(store) = open(&world, accounts).await? else {
        return Ok(());
    };
    let engine = world.engine().await?;
    wrote(&engine, "one", "account.begun", "\"Ada\"").await?;
    wrote(&engine, "one", "somebody.elses", "null").await?;
    wrote(&engine, "two", "account.started", "{\"name\":\"Bob\"}").await?;
    wrote(&engine, "three", "account.opened", "{\"owner\":\"Eve\"}").await?;
    let reader = store.reader("a");
    let page = reader.events().of::<AccountEvent>().await?;
    let read = page.events.iter().map(|event| event.read::<AccountEvent>());
    let read = read.collect::<Result<Vec<_>, _>>()?;
    assert_eq!(read, [opened("Ada"), opened("Bob"), opened("Eve")]);
    let first = reader.events().of::<AccountEvent>().limit(1).await?;
    assert_eq!(first.events.len(), 1);
    let rest = reader.events().of::<AccountEvent>().after(first.ceiling);
    assert_eq!(rest.await?.events, page.events[1..]);
    let all = reader.events().await?;
    assert_eq!(all.events.len(), 4);
    assert_eq!(all.events[1].event.event_type, "somebody.elses");
    // Types that nobody declared pass a fold by.
    let ada = reader.aggregate::<Account>("one").await?;
    assert_eq!(ada.map(|account| account.versions), Some(vec![1]));
    Ok(())
}

async fn e2_an_event_that_cannot_be_upcast_is_an_error_naming_it(world: World) -> Verdict {
    let Some(store) = open(&world, accounts).await? else {
        return Ok(());
    };
    let engine = world.engine().await?;
    wrote(&engine, "one", "account.opened", "{\"owner\":\"Ada\"}").await?;
    wrote(&engine, "one", "account.started", "{\"name\":\"spoilt\"}").await?;
    wrote(&engine, "two", "account.opened", "{\"possessor\":\"Bob\"}").await?;
    let mut session = store.session("a");
    let mentions = ["event 2", "one", "account.started"];
    refused(session.stream("one").await, ErrorKind::Body, &mentions);
    let folded = session.aggregate::<Account>("one").await;
    refused(folded, ErrorKind::Body, &mentions);
    let before = session.aggregate::<Account>("one").at_version(1).await?;
    assert!(before.is_some(), "what comes after is not looked at");
    refused(session.events().await, ErrorKind::Body, &mentions);
    session.append("one", [deposited(5)]);
    refused(session.commit().await, ErrorKind::Body, &mentions);
    assert_eq!(session.pending(), 0);
    let unread = session.stream("two").of::<AccountEvent>().await;
    refused(
        unread,
        ErrorKind::Body,
        &["event 1", "two", "account.opened"],
    );
    Ok(())
}

async fn e2_upcasts_that_lead_nowhere_are_refused_at_open(world: World) -> Verdict {
    let Some(_) = open(&world, accounts).await? else {
        return Ok(());
    };
    let same = |data: &str| Ok(data.to_owned());
    let declared = || async { Ok::<_, Error>(world.builder().await?.events::<AccountEvent>()) };
    let nowhere = declared().await?.upcast("old", "nobody.knows", same);
    let mentions = ["old", "nobody.knows"];
    refused(nowhere.open().await, ErrorKind::Declaration, &mentions);
    let circle = declared().await?;
    let circle = circle
        .upcast("old", "older", same)
        .upcast("older", "old", same);
    refused(
        circle.open().await,
        ErrorKind::Declaration,
        &["old", "circle"],
    );
    let two = declared().await?;
    let two = two
        .upcast("old", "account.opened", same)
        .upcast("old", "account.closed", same);
    let mentions = ["old", "account.opened", "account.closed"];
    refused(two.open().await, ErrorKind::Declaration, &mentions);
    let own = declared().await?;
    let own = own.upcast("account.closed", "account.opened", same);
    refused(
        own.open().await,
        ErrorKind::Declaration,
        &["account.closed"],
    );
    Ok(())
}
