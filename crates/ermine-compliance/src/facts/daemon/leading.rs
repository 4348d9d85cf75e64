//! Exactly one leads a shard, and another after it.

use std::pin::pin;
use std::time::Duration;

use ermine_core::{BatchLimits, Engine, Result};
use ermine_macros::Document;
use ermine_store::{Clock, EventProjection, Store};
use futures_util::future::{join_all, select};
use serde::{Deserialize, Serialize};

use crate::facts::projections::{
    Fast, Model, NoteEvent, append, assert_notes, daemon, note_store, open, written,
};
use crate::facts::{Verdict, World};

facts![
    p1_another_leads_when_the_leader_dies,
    p1_two_daemons_apply_each_event_once_while_others_append,
    p1_one_that_was_superseded_writes_nothing_more,
    p1_no_batch_of_a_page_is_written_by_one_that_was_superseded,
    p1_a_lease_is_kept_while_a_page_takes_long,
];

const LONG: Duration = Duration::from_secs(6_000);

async fn p1_another_leads_when_the_leader_dies(world: World) -> Verdict {
    let Some(store) = note_store(&world, &Model::new()).await? else {
        return Ok(());
    };
    append(&store, "s", [written("a", "alpha")]).await?;
    let first = daemon(&store)
        .holder("first")
        .lease(Duration::from_millis(80));
    {
        let caught_up = pin!(first.wait_for(ermine_core::Position::at(1), LONG));
        select(first.run(), caught_up).await;
    }
    // Dropped where it stood, it has not given up anything.
    append(&store, "s", [written("b", "beta")]).await?;
    let second = daemon(&store).holder("second");
    second.run_until_caught_up().await?;
    assert_notes(&store, &[("a", "alpha"), ("b", "beta")]).await?;
    let status = store.daemon().status().await?.remove(0);
    assert!(status.epoch.get() >= 2, "{status:?}");
    Ok(())
}

/// How many events there were, in all.
#[derive(Debug, Clone, PartialEq, Document, Serialize, Deserialize)]
#[document(crate = "ermine_core", name = "totals", tenancy = "conjoined")]
struct Total {
    #[document(id)]
    id: String,
    events: u64,
}

fn totals() -> EventProjection<Total> {
    EventProjection::<Total>::new("totals").fold(
        NoteEvent::WRITTEN,
        |_| "all".to_owned(),
        |before, _| {
            Ok(Some(Total {
                id: "all".to_owned(),
                events: before.map_or(0, |total| total.events) + 1,
            }))
        },
    )
}

async fn total_store(world: &World) -> Result<Option<Store<Engine>>> {
    open(world, |builder| {
        builder.events::<NoteEvent>().projection(totals())
    })
    .await
}

async fn p1_two_daemons_apply_each_event_once_while_others_append(world: World) -> Verdict {
    let Some(store) = total_store(&world).await? else {
        return Ok(());
    };
    let other = total_store(&world).await?.expect("it keeps events");
    let one = daemon(&store).page_size(3).holder("one").spawn()?;
    let two = daemon(&other).page_size(2).holder("two").spawn()?;
    let writers = [&store, &other, &store].into_iter().enumerate();
    let writers = writers.map(|(writer, store)| async move {
        for round in 0..20 {
            let id = format!("{writer} {round}");
            append(
                store,
                &format!("s{writer}"),
                [written(&id, "x"), written(&id, "y")],
            )
            .await?;
        }
        Ok::<_, ermine_core::Error>(())
    });
    for written in join_all(writers).await {
        written?;
    }
    one.catch_up(LONG).await?;
    one.stop().await;
    append(&store, "s", [written("last", "x")]).await?;
    two.catch_up(LONG).await?;
    two.stop().await;
    let total = store.reader("a").load::<Total>("all").await?;
    assert_eq!(total.map(|total| total.events), Some(121));
    Ok(())
}

async fn p1_one_that_was_superseded_writes_nothing_more(world: World) -> Verdict {
    superseded(world, Model::new(), [written("a", "alpha")]).await
}

/// The first batch of a page of two is as old by then as its last.
async fn p1_no_batch_of_a_page_is_written_by_one_that_was_superseded(world: World) -> Verdict {
    let one_at_a_time = BatchLimits {
        texts: 1,
        ..BatchLimits::default()
    };
    let model = Model::new().with_limits(one_at_a_time);
    let page = [written("a", "alpha"), written("b", "beta")];
    superseded(world, model, page).await
}

/// A page is led by one whose lease runs out while it waits for the model, and another is
/// done with that page and with the next.
async fn superseded<const N: usize>(world: World, model: Model, page: [NoteEvent; N]) -> Verdict {
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    append(&store, "s", page).await?;
    let other = store.clone();
    model.meanwhile(async move {
        Fast.sleep(Duration::from_secs(15)).await;
        let another = daemon(&other).holder("another");
        another.run_until_caught_up().await.expect("it leads");
        let newer = [written("a", "newer"), written("b", "as new")];
        append(&other, "s", newer).await.expect("it is appended");
        another.run_until_caught_up().await.expect("it leads");
    });
    let slow = daemon(&store)
        .holder("slow")
        .lease(Duration::from_millis(40))
        .clock(Sluggish);
    slow.run_until_caught_up().await?;
    assert_notes(&store, &[("a", "newer"), ("b", "as new")]).await
}

async fn p1_a_lease_is_kept_while_a_page_takes_long(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    append(&store, "s", [written("a", "alpha")]).await?;
    let waiting = daemon(&store).holder("waiting");
    model.meanwhile(async move {
        // Some leases long, by the clock of the database.
        let other = async { waiting.run_until_caught_up().await.expect("it is done") };
        select(pin!(other), Fast.sleep(Duration::from_secs(300))).await;
    });
    let leading = daemon(&store)
        .holder("leading")
        // Long enough to be renewed in time on a machine that is busy.
        .lease(Duration::from_millis(900))
        .clock(Prompt);
    leading.run_until_caught_up().await?;
    // Nobody else had the text embedded too.
    assert_eq!(model.calls().len(), 1);
    let status = store.daemon().status().await?.remove(0);
    assert_eq!(status.epoch.get(), 1, "{status:?}");
    assert_notes(&store, &[("a", "alpha")]).await
}

/// A clock that keeps the time of the database.
struct Prompt;

impl Clock for Prompt {
    fn now(&self) -> ermine_core::Timestamp {
        Fast.now()
    }

    fn sleep(&self, time: Duration) -> ermine_core::BoxFuture<'static, ()> {
        ermine_store::SystemClock.sleep(time)
    }
}

/// A clock on which nothing is renewed in time, however slow the store: who notices at a
/// renewal that another leads drops its page, and what goes on meanwhile with it.
struct Sluggish;

impl Clock for Sluggish {
    fn now(&self) -> ermine_core::Timestamp {
        Fast.now()
    }

    fn sleep(&self, time: Duration) -> ermine_core::BoxFuture<'static, ()> {
        Fast.sleep(time * 100_000)
    }
}
