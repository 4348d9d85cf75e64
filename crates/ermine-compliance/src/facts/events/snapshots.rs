//! E4: inline snapshots are what their streams add up to, whatever happens to these.

use ermine_core::{
    Aggregate, Embedding, Engine, Envelope, ErrorKind, Filter, Result, StreamId, TenantId,
};
use ermine_macros::Document;
use ermine_store::{EventBuilder, Session, Store};
use futures_util::future::try_join_all;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::ledger::{
    Account, AccountEvent, Noted, account, accounts, deposited, open, opened, renamed,
};
use crate::facts::kit::{failed, refused};
use crate::facts::provider::Scribe;
use crate::facts::{Verdict, World};

facts![
    e4_a_snapshot_is_the_live_fold_after_any_appends,
    e4_a_snapshot_is_the_live_fold_of_events_from_before_it_was_declared,
    e4_appends_at_once_all_get_into_the_snapshot,
    e4_a_snapshot_is_written_by_its_stream_only,
    e4_a_stream_that_cannot_have_its_snapshot_is_refused,
    e4_a_snapshot_has_the_id_of_its_stream,
    e4_snapshots_of_several_types_follow_one_stream,
    e4_a_snapshot_keeps_the_vector_of_a_text_that_is_unchanged,
    e4_a_snapshots_ids_are_those_of_streams,
    e4_an_archived_stream_takes_no_more_events,
];

/// Numbers that look random, the same at each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn event(&mut self) -> AccountEvent {
        match self.below(8) {
            0..=2 => opened(["Ada", "Bob", "Eve"][self.below(3) as usize]),
            3 => renamed(["Ada", "Mallory"][self.below(2) as usize]),
            4 => AccountEvent::Closed,
            _ => deposited(self.below(100) as i64),
        }
    }

    fn records(&mut self, session: &mut Session<Engine>, stream: &str) {
        let events: Vec<_> = (0..self.below(4)).map(|_| self.event()).collect();
        match self.below(5) {
            0 => session.append(
                stream,
                [Noted {
                    text: "of no account".to_owned(),
                }],
            ),
            1 => session.start(stream, events),
            2 => session.append_expecting(stream, self.below(12), events),
            _ => session.append(stream, events),
        }
    }
}

async fn e4_a_snapshot_is_the_live_fold_after_any_appends(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let streams = ["one", "two", "three"];
    let mut written = 0;
    for seed in 0..60 {
        let mut numbers = Numbers(seed);
        let tenant = ["a", "b"][numbers.below(2) as usize];
        let mut session = store.session(tenant);
        for _ in 0..=numbers.below(4) {
            let stream = streams[numbers.below(3) as usize];
            numbers.records(&mut session, stream);
        }
        match session.commit().await {
            Ok(_) => written += 1,
            Err(error) => assert!(error.is_conflict(), "seed {seed}: {error}"),
        }
        for tenant in ["a", "b"] {
            for stream in streams {
                account(&store.reader(tenant), stream).await?;
            }
        }
    }
    assert!(written > 20, "{written} units of 60 were written");
    Ok(())
}

async fn e4_a_snapshot_is_the_live_fold_of_events_from_before_it_was_declared(
    world: World,
) -> Verdict {
    let Some(before) = open(&world, |builder| builder.events::<AccountEvent>()).await? else {
        return Ok(());
    };
    let mut session = before.session("a");
    session.append("one", [opened("Ada"), deposited(5)]);
    session.commit().await?;
    let store = accounts(&world).await?.expect("it keeps events");
    assert_eq!(store.reader("a").load::<Account>("one").await?, None);
    let mut session = store.session("a");
    session.append("one", [deposited(7)]);
    session.commit().await?;
    let folded = account(&store.reader("a"), "one").await?;
    assert_eq!(folded.map(|account| account.balance), Some(12));
    Ok(())
}

async fn e4_appends_at_once_all_get_into_the_snapshot(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.start("one", [opened("Ada")]);
    session.commit().await?;
    // They expect nothing, so none may fail because another came first.
    let writers = (0..4).map(|writer| {
        let store = store.clone();
        async move {
            for round in 0..5 {
                let mut session = store.session("a");
                session.append("one", [deposited(1)]);
                session.append(&*format!("of {writer}"), [opened("Bob"), deposited(round)]);
                session.commit().await?;
            }
            Ok::<_, ermine_core::Error>(())
        }
    });
    try_join_all(writers).await?;
    let one = account(&store.reader("a"), "one")
        .await?
        .expect("it exists");
    assert_eq!((one.balance, one.versions.len()), (20, 21));
    for writer in 0..4 {
        account(&store.reader("a"), &format!("of {writer}")).await?;
    }
    Ok(())
}

async fn e4_a_snapshot_is_written_by_its_stream_only(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.start("one", [opened("Ada")]);
    session.commit().await?;
    let mut own = session.load::<Account>("one").await?.expect("it exists");
    own.balance = 1_000_000;
    let dynamic = store.dynamic("accounts")?;
    let writes: [fn(&mut Session<Engine>, &Account); 6] = [
        |session, own| session.store(own),
        |session, own| session.insert(own),
        |session, own| session.update(own),
        |session, own| session.delete::<Account>(own.id.as_str()),
        |session, own| session.hard_delete::<Account>(own.id.as_str()),
        |session, _| session.delete_where::<Account>(Filter::all()),
    ];
    for write in writes {
        write(&mut session, &own);
        refused(
            session.commit().await,
            ErrorKind::Unsupported,
            &["accounts"],
        );
    }
    session.delete_in(&dynamic, "one");
    refused(
        session.commit().await,
        ErrorKind::Unsupported,
        &["accounts"],
    );
    let left = account(&store.reader("a"), "one").await?;
    assert_eq!(left.map(|account| account.balance), Some(0));
    Ok(())
}

/// What a counter's stream adds up to: how often it was touched, whoever's it is.
#[derive(Debug, Clone, PartialEq, Document, Serialize, Deserialize)]
#[document(crate = "ermine_core", name = "counters")]
struct Counter {
    #[document(id)]
    id: Uuid,
    touched: u64,
}

impl Aggregate for Counter {
    type Event = Noted;

    fn fold(state: Option<Self>, event: &Envelope<Noted>) -> Result<Option<Self>> {
        Ok(Some(Self {
            id: event.stream.document_id()?,
            touched: state.map_or(0, |counter| counter.touched) + 1,
        }))
    }
}

fn noted(text: &str) -> Noted {
    Noted {
        text: text.to_owned(),
    }
}

async fn e4_a_stream_that_cannot_have_its_snapshot_is_refused(world: World) -> Verdict {
    let declared = open(&world, |builder| {
        let builder = builder.snapshot::<Account>().snapshot::<Counter>();
        builder.embeddings(Scribe::new())
    });
    let Some(store) = declared.await? else {
        return Ok(());
    };
    let id = Uuid::from_u128(9);
    let mut session = store.session("a");
    session.append(id, [opened("Ada")]);
    let mentions = ["accounts", "uuid", "text"];
    refused(session.commit().await, ErrorKind::TypeMismatch, &mentions);
    // Two tenants' streams would be one document.
    session.append(id, [noted("once")]);
    refused(session.commit().await, ErrorKind::Tenancy, &["counters"]);
    let mut nobody = store.session_without_tenant();
    nobody.append("one", [opened("Ada")]);
    refused(nobody.commit().await, ErrorKind::Tenancy, &["accounts"]);
    nobody.append("one", [noted("once")]);
    refused(
        nobody.commit().await,
        ErrorKind::TypeMismatch,
        &["counters"],
    );
    nobody.append(id, [noted("once"), noted("twice")]);
    nobody.commit().await?;
    let counter = nobody.load::<Counter>(id).await?;
    assert_eq!(counter, nobody.aggregate::<Counter>(id).await?);
    assert_eq!(counter.map(|counter| counter.touched), Some(2));
    Ok(())
}

/// A fold that mistakes what its id is.
#[derive(Debug, Clone, PartialEq, Document, Serialize, Deserialize)]
#[document(crate = "ermine_core", name = "strays", tenancy = "conjoined")]
struct Stray {
    #[document(id)]
    id: String,
}

impl Aggregate for Stray {
    type Event = Noted;

    fn fold(_: Option<Self>, event: &Envelope<Noted>) -> Result<Option<Self>> {
        let id = event.data.text.clone();
        Ok(Some(Self { id }))
    }
}

async fn e4_a_snapshot_has_the_id_of_its_stream(world: World) -> Verdict {
    let Some(store) = open(&world, |builder| builder.snapshot::<Stray>()).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.append("one", [noted("one")]);
    session.commit().await?;
    session.append("one", [noted("another")]);
    let mentions = ["one", "strays", "another"];
    refused(session.commit().await, ErrorKind::InvalidValue, &mentions);
    assert_eq!(session.stream("one").await?.len(), 1);
    assert!(session.load::<Stray>("another").await?.is_none());
    Ok(())
}

/// The last word of a stream, beside its account.
#[derive(Debug, Clone, PartialEq, Document, Serialize, Deserialize)]
#[document(crate = "ermine_core", name = "words", tenancy = "conjoined")]
struct Word {
    #[document(id)]
    id: String,
    #[document(index)]
    word: String,
}

impl Aggregate for Word {
    type Event = Noted;

    fn fold(_: Option<Self>, event: &Envelope<Noted>) -> Result<Option<Self>> {
        let id = event.stream.document_id()?;
        let word = event.data.text.clone();
        Ok((!word.is_empty()).then_some(Self { id, word }))
    }
}

async fn e4_snapshots_of_several_types_follow_one_stream(world: World) -> Verdict {
    let declared = open(&world, |builder| {
        let builder = builder.snapshot::<Account>().snapshot::<Word>();
        builder.embeddings(Scribe::new())
    });
    let Some(store) = declared.await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.append("one", [opened("Ada")]);
    session.append("one", [noted("hello")]);
    session.append("two", [noted("alone")]);
    session.commit().await?;
    session.append("one", [deposited(5)]);
    session.append("two", [noted("")]);
    session.commit().await?;
    let reader = store.reader("a");
    let one = account(&reader, "one").await?.expect("it exists");
    assert_eq!((one.balance, one.versions), (5, vec![1, 3]));
    let word = reader.load::<Word>("one").await?;
    assert_eq!(word.map(|word| word.word).as_deref(), Some("hello"));
    assert_eq!(reader.load::<Word>("two").await?, None);
    assert_eq!(account(&reader, "two").await?, None);
    Ok(())
}

async fn e4_a_snapshot_keeps_the_vector_of_a_text_that_is_unchanged(world: World) -> Verdict {
    let scribe = Scribe::new();
    let declared = open(&world, |builder| {
        builder.snapshot::<Account>().embeddings(scribe.clone())
    });
    let Some(store) = declared.await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.append("one", [opened("Ada")]);
    session.commit().await?;
    assert_eq!(scribe.stored(), ["Ada"]);
    session.append("one", [deposited(5)]);
    session.commit().await?;
    assert!(scribe.calls().is_empty(), "the text is unchanged");
    session.append("one", [renamed("Mallory")]);
    session.commit().await?;
    assert_eq!(scribe.stored(), ["Mallory"]);
    account(&store.reader("a"), "one").await?;

    // A provider that fails writes nothing, and the unit is kept for another commit.
    session.append("one", [renamed("broken")]);
    refused(session.commit().await, ErrorKind::Provider, &["pen"]);
    assert_eq!(session.pending(), 1);
    let left = account(&store.reader("a"), "one").await?;
    assert_eq!(
        left.map(|account| account.owner).as_deref(),
        Some("Mallory")
    );
    session.append("two", [opened("Bob")]);
    refused(session.commit().await, ErrorKind::Provider, &["pen"]);
    assert_eq!(session.pending(), 2);
    session.discard();
    session.append("two", [opened("Bob")]);
    session.commit().await?;
    let two = account(&store.reader("a"), "two")
        .await?
        .expect("it exists");
    assert_eq!(two.embedding, Embedding::Absent, "the fold makes none");
    Ok(())
}

/// A document whose ids no stream can have.
#[derive(Debug, Clone, Document, Serialize, Deserialize)]
#[document(crate = "ermine_core", name = "numbered")]
struct Numbered {
    #[document(id)]
    id: i64,
}

impl Aggregate for Numbered {
    type Event = Noted;

    fn fold(_: Option<Self>, _: &Envelope<Noted>) -> Result<Option<Self>> {
        Ok(Some(Self { id: 1 }))
    }
}

async fn e4_a_snapshots_ids_are_those_of_streams(world: World) -> Verdict {
    let Some(_) = open(&world, |b| b.snapshot::<Counter>().document::<Counter>()).await? else {
        return Ok(());
    };
    let numbered = Store::builder(world.engine().await?).snapshot::<Numbered>();
    let mentions = ["numbered", "i64"];
    refused(numbered.open().await, ErrorKind::Declaration, &mentions);
    let twice = Store::builder(world.engine().await?);
    let twice = twice.snapshot::<Word>().snapshot::<Word>();
    refused(twice.open().await, ErrorKind::Declaration, &["Word"]);
    Ok(())
}

async fn e4_an_archived_stream_takes_no_more_events(world: World) -> Verdict {
    let Some(store) = accounts(&world).await? else {
        return Ok(());
    };
    let reader = store.reader("a");
    let mut session = store.session("a");
    session.start("one", [opened("Ada"), deposited(5)]);
    session.start("two", [opened("Bob")]);
    session.commit().await?;
    session.append("one", [deposited(7)]);
    session.archive("one");
    session.archive("never");
    session.commit().await?;
    let state = reader.stream_state("one").await?.expect("it exists");
    assert_eq!((state.version, state.archived), (3, true));
    assert_eq!(reader.stream_state("never").await?, None);
    // It is read by its id, and its snapshot stays; who follows all events passes it by.
    let one = account(&reader, "one").await?;
    assert_eq!(one.map(|account| account.balance), Some(12));
    assert_eq!(reader.stream("one").await?.len(), 3);
    let followed = reader.events().await?;
    assert!(
        followed
            .events
            .iter()
            .all(|e| e.stream.to_string() == "two")
    );

    let a = TenantId::new("a")?;
    assert_eq!(followed.events[0].tenant, Some(a));
    assert_eq!(followed.events[0].stream, StreamId::text("two")?);
    session.append("one", [deposited(11)]);
    failed(session.commit().await);
    session.append_expecting("one", 3, [deposited(11)]);
    failed(session.commit().await);
    session.start("one", [EventBuilder::of(opened("Eve"))]);
    failed(session.commit().await);
    session.archive("two");
    session.append("two", [deposited(11)]);
    failed(session.commit().await);
    let two = account(&reader, "two").await?;
    assert_eq!(two.map(|account| account.balance), Some(0));
    let open = reader.stream_state("two").await?;
    assert!(open.is_some_and(|state| !state.archived));
    Ok(())
}
