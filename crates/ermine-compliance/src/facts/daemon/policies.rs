//! P10: events that cannot be applied.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use ermine_core::{Content, Embedding, Engine, Error, ErrorKind, Result};
use ermine_store::{ErrorPolicy, Store, VectorProjection};

use crate::facts::kit::failed;
use crate::facts::projections::{
    Model, Note, NoteEvent, append, assert_notes, daemon, open, written,
};
use crate::facts::{Verdict, World};

facts![
    p10_an_event_that_cannot_be_applied_stops_the_shard,
    p10_a_retry_succeeds_or_stops,
    p10_a_parked_event_is_replayed,
    p10_a_replay_does_not_bring_back_what_came_before,
];

/// Notes whose selector fails for `broken` while the switch is on.
struct Switch {
    on: AtomicBool,
    tries: AtomicUsize,
}

async fn switched(world: &World) -> Result<Option<(Store<Engine>, Arc<Switch>)>> {
    let switch = Arc::new(Switch {
        on: AtomicBool::new(true),
        tries: AtomicUsize::new(0),
    });
    let own = switch.clone();
    let notes = VectorProjection::<Note>::map("note-vectors")
        .map(
            NoteEvent::WRITTEN,
            move |e| {
                if e.data.text().contains("broken") {
                    own.tries.fetch_add(1, Ordering::SeqCst);
                    if own.on.load(Ordering::SeqCst) {
                        return Err(Error::new(ErrorKind::InvalidValue, "a broken note"));
                    }
                }
                Ok(Content::text(e.data.text()))
            },
            |e| e.data.id(),
        )
        .document(|row| Note {
            id: row.id.clone(),
            text: row.text.to_owned(),
            version: row.event.version,
            embedding: Embedding::NotLoaded,
        });
    let declared = open(world, |builder| {
        builder
            .events::<NoteEvent>()
            .projection(notes)
            .embeddings(Model::new())
    });
    Ok(declared.await?.map(|store| (store, switch)))
}

async fn p10_an_event_that_cannot_be_applied_stops_the_shard(world: World) -> Verdict {
    let Some((store, switch)) = switched(&world).await? else {
        return Ok(());
    };
    append(&store, "s", [written("a", "alpha")]).await?;
    append(&store, "s", [written("b", "broken"), written("c", "gamma")]).await?;
    let one_by_one = daemon(&store).page_size(1);
    let error = failed(one_by_one.run_until_caught_up().await);
    assert_eq!(error.kind(), ErrorKind::Paused);
    assert!(error.to_string().contains("a broken note"), "{error}");
    assert_notes(&store, &[("a", "alpha")]).await?;
    // It stays so until somebody resumes it.
    failed(one_by_one.run_until_caught_up().await);
    switch.on.store(false, Ordering::SeqCst);
    one_by_one.resume("note-vectors").await?;
    one_by_one.run_until_caught_up().await?;
    assert_notes(&store, &[("a", "alpha"), ("b", "broken"), ("c", "gamma")]).await
}

async fn p10_a_retry_succeeds_or_stops(world: World) -> Verdict {
    let Some((store, switch)) = switched(&world).await? else {
        return Ok(());
    };
    append(&store, "s", [written("b", "broken")]).await?;
    let retrying = daemon(&store).on_error_of(
        "note-vectors",
        ErrorPolicy::Retry {
            times: 3,
            backoff: Duration::from_millis(10),
        },
    );
    assert_eq!(
        failed(retrying.run_until_caught_up().await).kind(),
        ErrorKind::Paused
    );
    assert_eq!(switch.tries.load(Ordering::SeqCst), 4);
    switch.on.store(false, Ordering::SeqCst);
    retrying.resume("note-vectors").await?;
    retrying.run_until_caught_up().await?;
    assert_notes(&store, &[("b", "broken")]).await
}

async fn p10_a_parked_event_is_replayed(world: World) -> Verdict {
    let Some((store, switch)) = switched(&world).await? else {
        return Ok(());
    };
    append(&store, "s", [written("a", "alpha"), written("b", "broken")]).await?;
    append(&store, "s", [written("c", "gamma")]).await?;
    let parking = daemon(&store).on_error(ErrorPolicy::Park);
    parking.run_until_caught_up().await?;
    assert_notes(&store, &[("a", "alpha"), ("c", "gamma")]).await?;
    let parked = parking
        .parked("note-vectors", Default::default(), 10)
        .await?;
    assert_eq!(parked.len(), 1);
    assert!(parked[0].reason.contains("a broken note"));
    let report = parking.replay_parked("note-vectors").await?;
    assert_eq!((report.applied, report.failed), (0, 1));
    switch.on.store(false, Ordering::SeqCst);
    let report = parking.replay_parked("note-vectors").await?;
    assert_eq!((report.applied, report.failed), (1, 0));
    let left = parking.parked("note-vectors", Default::default(), 10);
    assert!(left.await?.is_empty());
    assert_notes(&store, &[("a", "alpha"), ("b", "broken"), ("c", "gamma")]).await
}

async fn p10_a_replay_does_not_bring_back_what_came_before(world: World) -> Verdict {
    let Some((store, switch)) = switched(&world).await? else {
        return Ok(());
    };
    append(&store, "s", [written("a", "broken")]).await?;
    append(&store, "gone", [written("g", "broken")]).await?;
    let parking = daemon(&store).on_error(ErrorPolicy::Park);
    parking.run_until_caught_up().await?;
    append(&store, "s", [written("a", "whole")]).await?;
    parking.run_until_caught_up().await?;
    let mut session = store.session("a");
    session.tombstone("gone");
    session.commit().await?;
    switch.on.store(false, Ordering::SeqCst);
    let report = parking.replay_parked("note-vectors").await?;
    assert_eq!((report.applied, report.gone, report.failed), (1, 1, 0));
    assert_notes(&store, &[("a", "whole")]).await
}
