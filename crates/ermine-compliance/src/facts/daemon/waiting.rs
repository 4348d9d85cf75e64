//! P13: waiting for shards.

use std::time::Duration;

use ermine_core::{ErrorKind, Position};

use crate::facts::kit::{failed, refused};
use crate::facts::projections::{
    Memory, Model, Note, NoteEvent, append, daemon, memory_store, note_store, note_vectors, open,
    recorded, written,
};
use crate::facts::{Verdict, World};

facts![
    p13_a_wait_that_is_too_long_names_the_laggard_and_why,
    p13_a_read_that_is_shown_a_token_waits_for_what_feeds_it,
    p13_a_read_of_what_no_shard_feeds_does_not_wait,
];

async fn p13_a_wait_that_is_too_long_names_the_laggard_and_why(world: World) -> Verdict {
    let Some(store) = note_store(&world, &Model::new()).await? else {
        return Ok(());
    };
    // Nothing to wait for.
    store.daemon().catch_up(Duration::ZERO).await?;
    append(&store, "s", [written("a", "alpha")]).await?;
    let moment = Duration::from_millis(20);
    // A shard that never ran is judged too.
    let late = store.daemon().catch_up(moment).await;
    refused(late, ErrorKind::Timeout, &["note-vectors", "nobody leads"]);
    store.daemon().pause("note-vectors", "it is sunday").await?;
    let late = store.daemon().catch_up(moment).await;
    refused(late, ErrorKind::Timeout, &["note-vectors", "it is sunday"]);
    store.daemon().resume("note-vectors").await?;
    daemon(&store).run_until_caught_up().await?;
    store.daemon().catch_up(moment).await?;
    let beyond = store
        .daemon()
        .wait_for(Position::at(1_000_000), moment)
        .await;
    assert_eq!(failed(beyond).kind(), ErrorKind::Timeout);
    Ok(())
}

async fn p13_a_read_that_is_shown_a_token_waits_for_what_feeds_it(world: World) -> Verdict {
    let declared = open(&world, |builder| {
        builder
            .events::<NoteEvent>()
            .projection(note_vectors())
            .embeddings(Model::new())
            .wait_at_most(Duration::from_millis(20))
    });
    let Some(store) = declared.await? else {
        return Ok(());
    };
    let token = append(&store, "s", [written("a", "alpha")]).await?;
    let reader = store.reader("a");
    let search = || reader.search::<Note>();
    let kind = ErrorKind::Timeout;
    let names = &["note-vectors"];
    refused(
        search().nearest_to([5.0, 1.0]).at_least(token).await,
        kind,
        names,
    );
    refused(
        search().nearest_text("alpha").at_least(token).await,
        kind,
        names,
    );
    refused(
        search().matching("alpha").at_least(token).await,
        kind,
        names,
    );
    refused(search().hybrid("alpha").at_least(token).await, kind, names);
    let query = || reader.query::<Note>().at_least(token);
    refused(query().await, kind, names);
    refused(query().count().await, kind, names);
    let fused = reader.fuse().text::<Note>("alpha", |note| note.id.clone());
    refused(fused.at_least(token).await, kind, names);
    // Somebody runs it meanwhile.
    let patient = note_store(&world, &Model::new())
        .await?
        .expect("it keeps events");
    let running = daemon(&store).spawn()?;
    let found = patient.reader("a").search::<Note>().matching("alpha");
    let found = found.at_least(token).await?;
    assert_eq!(found.len(), 1);
    running.stop().await;
    assert_eq!(
        search().nearest_to([5.0, 1.0]).at_least(token).await?.len(),
        1
    );
    assert_eq!(search().hybrid("alpha").at_least(token).await?.len(), 1);
    assert_eq!(query().count().await?, 1);
    Ok(())
}

async fn p13_a_read_of_what_no_shard_feeds_does_not_wait(world: World) -> Verdict {
    let Some(store) = memory_store(&world, &Model::new()).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.start("one", [recorded("Pool", "body", "db")]);
    let token = session.commit().await?;
    // An inline snapshot is there by itself; its vector is not.
    let loaded = session.load::<Memory>("one").await?;
    assert!(loaded.is_some());
    assert!(token.position().is_some());
    daemon(&store).run_until_caught_up().await?;
    let found = session.search::<Memory>().matching("pool").at_least(token);
    assert_eq!(found.await?.len(), 1);
    Ok(())
}
