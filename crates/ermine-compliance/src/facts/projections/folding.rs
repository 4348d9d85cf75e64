//! Documents that sum up the events of many streams, each event once.

use ermine_core::{Engine, ErrorKind, Result};
use ermine_macros::Document;
use ermine_store::{ErrorPolicy, EventProjection, Store};
use serde::{Deserialize, Serialize};

use super::kit::{NoteEvent, append, catch_up, daemon, erased, open, written};
use crate::facts::kit::failed;
use crate::facts::{Verdict, World};

facts![
    p1_each_event_is_folded_once,
    p4_an_event_makes_several_documents,
    p11_a_fold_is_rebuilt_from_nothing,
    p11_a_fold_of_many_rows_is_rebuilt_whole,
    p15_a_masked_event_is_taken_out_of_a_fold,
    p10_a_fold_that_fails_stops_the_shard_whole,
];

/// How often something was said of a note.
#[derive(Debug, Clone, PartialEq, Document, Serialize, Deserialize)]
#[document(crate = "ermine_core", name = "counts", tenancy = "conjoined")]
pub(super) struct Count {
    #[document(id)]
    pub(super) id: String,
    pub(super) said: u64,
    pub(super) letters: usize,
}

pub(super) fn counts() -> EventProjection<Count> {
    let count = |before: Option<Count>, event: &NoteEvent| Count {
        id: event.id(),
        said: before.as_ref().map_or(0, |count| count.said) + 1,
        letters: before.map_or(0, |count| count.letters) + event.text().len(),
    };
    EventProjection::<Count>::new("counts")
        .fold(
            NoteEvent::WRITTEN,
            |e| e.data.id(),
            move |before, e| match e.data.text() {
                "bad" => panic!("a bad note"),
                _ => Ok(Some(count(before, &e.data))),
            },
        )
        .fold(
            NoteEvent::TOUCHED,
            |e| e.data.id(),
            move |before, e| Ok(Some(count(before, &e.data))),
        )
        .fold(NoteEvent::ERASED, |e| e.data.id(), |_, _| Ok(None))
}

async fn count_store(world: &World) -> Result<Option<Store<Engine>>> {
    open(world, |builder| {
        builder.events::<NoteEvent>().projection(counts())
    })
    .await
}

pub(super) async fn said(store: &Store<Engine>) -> Result<Vec<(String, u64, usize)>> {
    let counts = store.reader("a").query::<Count>().await?;
    Ok(counts
        .into_iter()
        .map(|count| (count.id, count.said, count.letters))
        .collect())
}

async fn p1_each_event_is_folded_once(world: World) -> Verdict {
    let Some(store) = count_store(&world).await? else {
        return Ok(());
    };
    for round in 0..3 {
        append(&store, "s", [written("n", "abc"), written("m", "a")]).await?;
        append(&store, "t", [NoteEvent::Touched { id: "n".into() }]).await?;
        daemon(&store)
            .page_size(1 + round)
            .run_until_caught_up()
            .await?;
    }
    catch_up(&store).await?;
    assert_eq!(
        said(&store).await?,
        [("m".into(), 3, 3), ("n".into(), 6, 9)]
    );
    append(&store, "t", [erased("n"), written("n", "ab")]).await?;
    catch_up(&store).await?;
    assert_eq!(
        said(&store).await?,
        [("m".into(), 3, 3), ("n".into(), 1, 2)]
    );
    Ok(())
}

async fn p4_an_event_makes_several_documents(world: World) -> Verdict {
    let words = || {
        EventProjection::<Count>::new("words").on(NoteEvent::WRITTEN, |e, documents| {
            for word in e.data.text().split(' ') {
                documents.put(Count {
                    id: word.to_owned(),
                    said: e.version,
                    letters: word.len(),
                });
            }
            documents.delete("gone");
            Ok(())
        })
    };
    let declared = open(&world, |builder| {
        builder.events::<NoteEvent>().projection(words())
    });
    let Some(store) = declared.await? else {
        return Ok(());
    };
    append(
        &store,
        "s",
        [written("n", "a gone bc"), written("n", "bc d")],
    )
    .await?;
    catch_up(&store).await?;
    let expected = [("a".into(), 1, 1), ("bc".into(), 2, 2), ("d".into(), 2, 1)];
    assert_eq!(said(&store).await?, expected);
    store.daemon().rebuild("words").await?;
    assert_eq!(said(&store).await?, expected);
    // What a projection makes is made by nobody else.
    let mut session = store.session("a");
    session.delete::<Count>("a");
    let error = failed(session.commit().await);
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains("words"), "{error}");
    Ok(())
}

async fn p11_a_fold_is_rebuilt_from_nothing(world: World) -> Verdict {
    let Some(store) = count_store(&world).await? else {
        return Ok(());
    };
    append(&store, "s", [written("n", "abc"), written("m", "a")]).await?;
    append(&store, "t", [written("n", "abc"), erased("m")]).await?;
    catch_up(&store).await?;
    let before = said(&store).await?;
    assert_eq!(before, [("n".into(), 2, 6)]);
    let estimate = store.daemon().estimate_rebuild("counts").await?;
    assert_eq!((estimate.texts, estimate.calls), (0, 0));
    daemon(&store).page_size(1).rebuild("counts").await?;
    assert_eq!(said(&store).await?, before);
    append(&store, "s", [written("n", "d")]).await?;
    catch_up(&store).await?;
    assert_eq!(said(&store).await?, [("n".into(), 3, 7)]);
    Ok(())
}

async fn p11_a_fold_of_many_rows_is_rebuilt_whole(world: World) -> Verdict {
    let Some(store) = count_store(&world).await? else {
        return Ok(());
    };
    // More than a batch of a rebuild takes.
    let all = || (0..2_100).map(|number| written(&format!("n{number}"), "ab"));
    append(&store, "s", all().collect::<Vec<_>>()).await?;
    append(&store, "t", all().take(1_500).collect::<Vec<_>>()).await?;
    daemon(&store)
        .page_size(1_000)
        .run_until_caught_up()
        .await?;
    daemon(&store).page_size(1_000).rebuild("counts").await?;
    let counts = store.reader("a").query::<Count>().limit(10_000).await?;
    let twice = counts.iter().filter(|c| (c.said, c.letters) == (2, 4));
    let once = counts.iter().filter(|c| (c.said, c.letters) == (1, 2));
    assert_eq!((twice.count(), once.count()), (1_500, 600));
    Ok(())
}

async fn p15_a_masked_event_is_taken_out_of_a_fold(world: World) -> Verdict {
    let Some(store) = count_store(&world).await? else {
        return Ok(());
    };
    append(&store, "s", [written("n", "abcdef")]).await?;
    append(&store, "t", [written("n", "ab")]).await?;
    catch_up(&store).await?;
    assert_eq!(said(&store).await?, [("n".into(), 2, 8)]);
    let mut session = store.session("a");
    session.mask("s", 1, &written("n", "x"));
    session.commit().await?;
    assert_eq!(said(&store).await?, []);
    catch_up(&store).await?;
    assert_eq!(said(&store).await?, [("n".into(), 2, 3)]);
    Ok(())
}

async fn p10_a_fold_that_fails_stops_the_shard_whole(world: World) -> Verdict {
    let Some(store) = count_store(&world).await? else {
        return Ok(());
    };
    append(&store, "s", [written("n", "abc"), written("n", "bad")]).await?;
    append(&store, "s", [written("n", "d")]).await?;
    assert_eq!(failed(catch_up(&store).await).kind(), ErrorKind::Paused);
    assert_eq!(said(&store).await?, []);
    store.daemon().resume("counts").await?;
    let parking = daemon(&store).on_error(ErrorPolicy::Park);
    parking.run_until_caught_up().await?;
    assert_eq!(said(&store).await?, [("n".into(), 2, 4)]);
    // And the same from nothing.
    parking.rebuild("counts").await?;
    assert_eq!(said(&store).await?, [("n".into(), 2, 4)]);
    let parked = parking.parked("counts", Default::default(), 10).await?;
    assert_eq!(parked.len(), 1);
    assert!(parked[0].reason.contains("a bad note"));
    Ok(())
}
