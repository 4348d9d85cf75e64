//! Asynchronous snapshots, and subscriptions.

use std::sync::{Arc, Mutex};

use ermine_core::{Embedding, ErrorKind};
use ermine_store::Subscription;

use super::kit::{
    Memory, MemoryEvent, NoteEvent, append, catch_up, daemon, erased, new_body, open, recorded,
    written,
};
use crate::facts::kit::failed;
use crate::facts::{Verdict, World};

facts![
    p4_an_asynchronous_snapshot_is_the_live_fold,
    p1_a_subscription_receives_every_event_in_order,
    p10_a_subscription_that_fails_stands_still,
];

async fn p4_an_asynchronous_snapshot_is_the_live_fold(world: World) -> Verdict {
    let declared = open(&world, |builder| {
        builder
            .events::<NoteEvent>()
            .snapshot_async::<Memory>("memories")
    });
    let Some(store) = declared.await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.append("one", [recorded("Pool", "body", "db"), MemoryEvent::Read]);
    session.append("two", [recorded("Lake", "body", "db")]);
    session.append("two", [MemoryEvent::Forgotten]);
    session.commit().await?;
    assert!(session.load::<Memory>("one").await?.is_none());
    for size in [1, 2, 100] {
        session.append("one", [new_body("another")]);
        session.append("three", [recorded("Sea", "body", "db"), MemoryEvent::Read]);
        session.commit().await?;
        daemon(&store).page_size(size).run_until_caught_up().await?;
        for stream in ["one", "two", "three"] {
            let live = session.aggregate::<Memory>(stream).await?;
            let stored = session.load::<Memory>(stream).await?;
            let stored = stored.map(|memory| Memory {
                embedding: Embedding::Absent,
                ..memory
            });
            assert_eq!(stored, live, "{stream} by pages of {size}");
        }
    }
    // Nothing of what is no more, hidden or not.
    let hidden = session.query::<Memory>().including_deleted().await?;
    assert_eq!(hidden.len(), 2);
    store.daemon().rebuild("memories").await?;
    let rebuilt = session.query::<Memory>().including_deleted().await?;
    assert_eq!(rebuilt, hidden);
    Ok(())
}

async fn p1_a_subscription_receives_every_event_in_order(world: World) -> Verdict {
    let received: Arc<Mutex<Vec<(String, u64)>>> = Arc::default();
    let seen = received.clone();
    let declared = open(&world, move |builder| {
        let all = Subscription::new("all", move |page| {
            let seen = seen.clone();
            async move {
                assert_eq!(page.events.last().map(|e| e.position), Some(page.last));
                let events = page.events.iter();
                let events = events.map(|e| (e.event.event_type.clone(), e.version));
                seen.lock().expect("whole").extend(events);
                Ok(())
            }
        });
        builder
            .projection(all.of::<NoteEvent>())
            .events::<MemoryEvent>()
    });
    let Some(store) = declared.await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.append("one", [MemoryEvent::Read]);
    session.commit().await?;
    append(&store, "s", [written("a", "alpha"), erased("a")]).await?;
    append(&store, "s", [written("b", "beta")]).await?;
    daemon(&store).page_size(2).run_until_caught_up().await?;
    catch_up(&store).await?;
    let expected = [
        ("note.written".to_owned(), 1),
        ("note.erased".to_owned(), 2),
        ("note.written".to_owned(), 3),
    ];
    assert_eq!(*received.lock().expect("whole"), expected);
    let rebuilt = failed(store.daemon().rebuild("all").await);
    assert_eq!(rebuilt.kind(), ErrorKind::Unsupported);
    Ok(())
}

async fn p10_a_subscription_that_fails_stands_still(world: World) -> Verdict {
    let declared = open(&world, |builder| {
        let failing = Subscription::new("failing", |page| async move {
            Err(ermine_core::Error::new(
                ErrorKind::Storage,
                format!("{} events too many", page.events.len()),
            ))
        });
        builder.events::<NoteEvent>().projection(failing)
    });
    let Some(store) = declared.await? else {
        return Ok(());
    };
    append(&store, "s", [written("a", "alpha")]).await?;
    let parking = daemon(&store).on_error(ermine_store::ErrorPolicy::Park);
    let error = failed(parking.run_until_caught_up().await);
    assert_eq!(error.kind(), ErrorKind::Paused);
    assert!(error.to_string().contains("1 events too many"), "{error}");
    assert!(
        parking
            .parked("failing", Default::default(), 9)
            .await?
            .is_empty()
    );
    Ok(())
}
