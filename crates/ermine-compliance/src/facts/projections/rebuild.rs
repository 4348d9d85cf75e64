//! P11: making a projection anew.

use ermine_core::{Content, Engine, Op, Result, SchemaMode, Storage, TenantId, Unit, VectorWrite};
use ermine_store::{MapProjection, Store, VectorProjection};

use super::kit::{
    Memory, MemoryEvent, Note, NoteEvent, append, assert_notes, catch_up, daemon, erased,
    memory_store, new_body, note_store, notes, open, recorded, written,
};
use super::model::Model;
use crate::facts::{Verdict, World};

facts![
    p11_unchanged_text_costs_no_call_whatever_the_pages_were,
    p11_a_vector_that_is_missing_is_embedded_again,
    p11_only_the_final_content_of_a_row_is_embedded,
    p11_a_new_version_is_made_anew_and_what_only_the_old_made_is_removed,
    p11_a_dry_run_tells_texts_tokens_and_calls_and_writes_nothing,
    p11_the_vectors_of_snapshots_are_made_anew,
];

/// Removes a note's vector behind everybody's back.
async fn lose_vector(world: &World, store: &Store<Engine>, id: &str) -> Result<()> {
    let op = Op::PutVectors {
        schema: store.collection::<Note>()?.schema().clone(),
        tenant: Some(TenantId::new("a")?),
        id: id.into(),
        vectors: vec![VectorWrite::Clear { hash: None }],
    };
    let engine = world.engine().await?;
    for declared in engine.declarations().await? {
        engine.ensure(&declared, SchemaMode::Assert).await?;
    }
    engine.commit(&Unit { ops: vec![op] }).await?;
    Ok(())
}

async fn p11_unchanged_text_costs_no_call_whatever_the_pages_were(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    for round in 0..20 {
        let text = "x".repeat(round + 1);
        let id = format!("n{:02}", round % 7);
        append(&store, "s", [written(&id, &text), erased("n03")]).await?;
    }
    daemon(&store).page_size(3).run_until_caught_up().await?;
    let before = notes(&store).await?;
    assert_eq!(before.len(), 6);
    model.calls();
    for size in [1, 7, 1_000] {
        daemon(&store)
            .page_size(size)
            .rebuild("note-vectors")
            .await?;
        assert_eq!(notes(&store).await?, before, "by pages of {size}");
    }
    assert!(model.calls().is_empty());
    let status = store.daemon().status().await?;
    assert!(status[0].is_caught_up(), "{status:?}");
    assert_eq!(status[0].paused, None);
    Ok(())
}

async fn p11_a_vector_that_is_missing_is_embedded_again(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    append(&store, "s", [written("a", "alpha"), written("b", "beta")]).await?;
    catch_up(&store).await?;
    model.calls();
    lose_vector(&world, &store, "b").await?;
    daemon(&store).rebuild("note-vectors").await?;
    assert_eq!(model.texts(), ["beta"]);
    assert_notes(&store, &[("a", "alpha"), ("b", "beta")]).await
}

async fn p11_only_the_final_content_of_a_row_is_embedded(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    // Begun in the middle of a history that it never saw.
    for text in ["a", "bb", "ccc", "dddd"] {
        append(&store, "s", [written("n", text), written("m", text)]).await?;
    }
    append(&store, "s", [erased("m"), written("o", "o")]).await?;
    daemon(&store).page_size(2).rebuild("note-vectors").await?;
    assert_eq!(model.texts(), ["dddd", "o"]);
    assert_notes(&store, &[("n", "dddd"), ("o", "o")]).await?;
    catch_up(&store).await?;
    assert!(model.calls().is_empty());
    Ok(())
}

/// Notes as another version makes them: in capitals, and none of the short ones.
fn second_version() -> MapProjection<Note> {
    VectorProjection::<Note>::map("note-vectors")
        .version(2)
        .map(
            NoteEvent::WRITTEN,
            |e| match e.data.text() {
                short if short.len() < 3 => Content::none(),
                "same" => Content::text("same"),
                text => Content::text(text.to_uppercase()),
            },
            |e| e.data.id(),
        )
        .delete(NoteEvent::ERASED, |e| e.data.id())
        .document(|row| Note {
            id: row.id.clone(),
            text: row.text.to_owned(),
            version: row.event.version,
            embedding: ermine_core::Embedding::NotLoaded,
        })
}

async fn p11_a_new_version_is_made_anew_and_what_only_the_old_made_is_removed(
    world: World,
) -> Verdict {
    let model = Model::new();
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    let events = [
        written("a", "alpha"),
        written("b", "be"),
        written("c", "same"),
        written("d", "gone"),
        erased("d"),
    ];
    append(&store, "s", events).await?;
    catch_up(&store).await?;
    model.calls();
    let declared = open(&world, |builder| {
        builder
            .events::<NoteEvent>()
            .projection(second_version())
            .embeddings(model.clone())
    });
    let store = declared.await?.expect("it keeps events");
    // Until they are made anew, the old ones are found.
    assert_eq!(notes(&store).await?.len(), 3);
    catch_up(&store).await?;
    assert_eq!(model.texts(), ["ALPHA"]);
    assert_notes(&store, &[("a", "ALPHA"), ("c", "same")]).await?;
    append(&store, "s", [written("e", "eta")]).await?;
    catch_up(&store).await?;
    assert_notes(&store, &[("a", "ALPHA"), ("c", "same"), ("e", "ETA")]).await
}

async fn p11_a_dry_run_tells_texts_tokens_and_calls_and_writes_nothing(world: World) -> Verdict {
    let limits = ermine_core::BatchLimits {
        texts: 2,
        ..ermine_core::BatchLimits::default()
    };
    let model = Model::new().with_limits(limits);
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    let texts = ["a", "bb", "ccc", "dddd"];
    append(&store, "s", texts.map(|text| written(text, text))).await?;
    append(&store, "s", [written("a", "other")]).await?;
    let estimate = store.daemon().estimate_rebuild("note-vectors").await?;
    assert_eq!((estimate.rows, estimate.texts), (4, 4));
    assert_eq!((estimate.tokens, estimate.calls), (2 + 3 + 4 + 5, 2));
    assert!(model.calls().is_empty());
    assert!(notes(&store).await?.is_empty());
    catch_up(&store).await?;
    model.calls();
    lose_vector(&world, &store, "ccc").await?;
    let estimate = store.daemon().estimate_rebuild("note-vectors").await?;
    assert_eq!((estimate.texts, estimate.tokens, estimate.calls), (1, 3, 1));
    assert!(model.calls().is_empty());
    Ok(())
}

async fn p11_the_vectors_of_snapshots_are_made_anew(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = memory_store(&world, &model).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.append("one", [recorded("Pool", "a", "db"), new_body("b")]);
    session.append("two", [recorded("Lake", "c", "db")]);
    session.append(
        "three",
        [recorded("Sea", "d", "db"), MemoryEvent::Forgotten],
    );
    session.append("four", [recorded("Archived", "e", "db")]);
    session.commit().await?;
    catch_up(&store).await?;
    session.archive("four");
    session.commit().await?;
    let before = session.query::<Memory>().with_vectors().await?;
    assert_eq!(before.len(), 3);
    model.calls();
    daemon(&store).rebuild("memory-vectors").await?;
    assert!(model.calls().is_empty());
    let after = session.query::<Memory>().with_vectors().await?;
    // An archived stream is passed by, and its document keeps what it has.
    assert_eq!(after, before);
    Ok(())
}
