//! A daemon that runs while others write.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ermine_core::{Engine, Position, Result};
use ermine_store::{Clock, Daemon, DaemonHandle, Store};

use crate::facts::projections::{
    Fast, Model, append, assert_notes, daemon, note_store, notes, written,
};
use crate::facts::{Verdict, World};

facts![
    p13_a_running_daemon_applies_what_is_committed,
    p10_a_pause_stops_the_shard_and_a_resume_lets_it_go_on,
    p1_a_daemon_that_stops_gives_up_its_leases,
    p1_a_page_that_is_begun_is_the_last_when_a_daemon_stops,
    p1_a_page_that_does_not_end_is_left_when_a_daemon_stops,
    p13_status_tells_how_far_shards_are_behind,
];

/// Long enough for anything that comes at all.
const LONG: Duration = Duration::from_secs(6_000);

async fn p13_a_running_daemon_applies_what_is_committed(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    let running = daemon(&store).spawn()?;
    assert!(running.is_running());
    for round in 0..5 {
        let id = format!("n{round}");
        let token = append(&store, "s", [written(&id, "text")]).await?;
        let position = token.position().expect("it has events");
        running.wait_for(position, LONG).await?;
        assert_eq!(notes(&store).await?.len(), round + 1);
    }
    running.stop().await;
    assert_eq!(model.texts(), ["text"; 5]);
    Ok(())
}

async fn p10_a_pause_stops_the_shard_and_a_resume_lets_it_go_on(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    let running = daemon(&store).spawn()?;
    append(&store, "s", [written("a", "alpha")]).await?;
    running.catch_up(LONG).await?;
    // Any process may ask for it, and give the reason, of which every store keeps what it can.
    store
        .daemon()
        .pause("note-vectors", "the model\0moves")
        .await?;
    loop {
        let status = store.daemon().status().await?.remove(0);
        assert_eq!(status.paused.as_deref(), Some("the model\u{fffd}moves"));
        if status.leader.is_none() {
            break;
        }
        Fast.sleep(Duration::from_millis(100)).await;
    }
    append(&store, "s", [written("b", "beta")]).await?;
    assert_notes(&store, &[("a", "alpha")]).await?;
    running.resume("note-vectors").await?;
    running.catch_up(LONG).await?;
    assert_notes(&store, &[("a", "alpha"), ("b", "beta")]).await?;
    running.stop().await;
    let unknown = store.daemon().pause("nothing", "no reason").await;
    crate::facts::kit::refused(
        unknown,
        ermine_core::ErrorKind::UnknownCollection,
        &["nothing", "note-vectors"],
    );
    Ok(())
}

async fn p1_a_daemon_that_stops_gives_up_its_leases(world: World) -> Verdict {
    let Some(store) = note_store(&world, &Model::new()).await? else {
        return Ok(());
    };
    let running = daemon(&store).holder("me").spawn()?;
    append(&store, "s", [written("a", "alpha")]).await?;
    running.catch_up(LONG).await?;
    assert_eq!(running.status().await?[0].leader.as_deref(), Some("me"));
    running.stop().await;
    assert_eq!(store.daemon().status().await?[0].leader, None);
    // What does not run stops at once.
    store.daemon().stop().await;
    Ok(())
}

/// Two pages, of which the first is being embedded when this returns.
async fn begun(
    store: &Store<Engine>,
    model: &Model,
    daemon: &Daemon,
    embedding: impl Future<Output = ()> + Send + 'static,
) -> Result<DaemonHandle> {
    append(store, "s", [written("a", "alpha"), written("b", "beta")]).await?;
    let asked = Arc::new(AtomicBool::new(false));
    let telling = asked.clone();
    model.meanwhile(async move {
        telling.store(true, Ordering::SeqCst);
        embedding.await;
    });
    let running = daemon.clone().page_size(1).spawn()?;
    while !asked.load(Ordering::SeqCst) {
        Fast.sleep(Duration::from_millis(100)).await;
    }
    Ok(running)
}

async fn p1_a_page_that_is_begun_is_the_last_when_a_daemon_stops(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    let patient = daemon(&store).drain(LONG);
    let running = begun(
        &store,
        &model,
        &patient,
        Fast.sleep(Duration::from_secs(10)),
    )
    .await?;
    running.stop().await;
    assert_notes(&store, &[("a", "alpha")]).await?;
    assert_eq!(store.daemon().status().await?[0].leader, None);
    Ok(())
}

async fn p1_a_page_that_does_not_end_is_left_when_a_daemon_stops(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    let impatient = daemon(&store).drain(Duration::from_secs(1));
    let running = begun(&store, &model, &impatient, pending()).await?;
    running.stop().await;
    assert_notes(&store, &[]).await?;
    assert_eq!(store.daemon().status().await?[0].leader, None);
    daemon(&store).run_until_caught_up().await?;
    assert_notes(&store, &[("a", "alpha"), ("b", "beta")]).await
}

async fn p13_status_tells_how_far_shards_are_behind(world: World) -> Verdict {
    let Some(store) = note_store(&world, &Model::new()).await? else {
        return Ok(());
    };
    let status = store.daemon().status().await?.remove(0);
    assert_eq!(status.projection, "note-vectors");
    assert_eq!((status.position, status.lag_events), (Position::START, 0));
    assert!(status.is_caught_up());
    append(&store, "s", [written("a", "alpha"), written("b", "beta")]).await?;
    let status = store.daemon().status().await?.remove(0);
    assert!(!status.is_caught_up());
    assert_eq!(status.lag_events, status.mark.get());
    assert_eq!((&status.leader, &status.paused), (&None, &None));
    daemon(&store).run_until_caught_up().await?;
    let status = store.daemon().status().await?.remove(0);
    assert!(status.is_caught_up());
    assert_eq!((status.lag_events, status.lag), (0, Duration::ZERO));
    let counts = status.counts;
    assert_eq!((counts.events, counts.written, counts.texts), (2, 2, 2));
    Ok(())
}
