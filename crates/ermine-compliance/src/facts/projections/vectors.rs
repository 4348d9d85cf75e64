//! P5, P7: texts of aggregates, and what costs a call.

use ermine_core::{Embedding, Position, StreamId};

use super::kit::{
    Memory, MemoryEvent, append, assert_notes, catch_up, memory_store, new_body, note_store,
    recorded, written,
};
use super::model::Model;
use crate::facts::{Verdict, World};

facts![
    p5_a_partial_update_is_embedded_as_the_aggregate_is_after_it,
    p5_an_aggregate_that_no_longer_exists_has_no_vector,
    p5_the_text_is_that_of_the_event_and_not_of_a_later_one,
    p5_only_the_vector_of_an_inline_snapshot_is_written,
    p7_an_event_that_changes_nothing_of_the_text_costs_no_call,
    p7_unchanged_text_costs_no_call,
    p7_what_cannot_be_represented_is_an_answer,
    p7_one_text_in_several_rows_is_paid_once,
];

async fn p5_a_partial_update_is_embedded_as_the_aggregate_is_after_it(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = memory_store(&world, &model).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.start("one", [recorded("Pool", "timeouts", "db")]);
    session.append("one", [new_body("new body")]);
    session.commit().await?;
    catch_up(&store).await?;
    assert_eq!(model.texts(), ["Pool\nnew body\ndb"]);
    let memory = store.reader("a").load::<Memory>("one").await?;
    let vector = Model::vector("Pool\nnew body\ndb");
    assert_eq!(
        memory.expect("it exists").embedding,
        Embedding::Present(vector)
    );
    Ok(())
}

async fn p5_an_aggregate_that_no_longer_exists_has_no_vector(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = memory_store(&world, &model).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.start("one", [recorded("Pool", "timeouts", "db")]);
    session.commit().await?;
    catch_up(&store).await?;
    session.append("one", [MemoryEvent::Forgotten]);
    // It exists no more, and is changed all the same.
    session.append("one", [new_body("nobody's")]);
    session.commit().await?;
    catch_up(&store).await?;
    assert_eq!(model.texts(), ["Pool\ntimeouts\ndb"]);
    let hidden = store.reader("a").query::<Memory>().including_deleted();
    for memory in hidden.with_vectors().await? {
        assert_eq!(memory.embedding, Embedding::Absent);
    }
    Ok(())
}

async fn p5_the_text_is_that_of_the_event_and_not_of_a_later_one(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = memory_store(&world, &model).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.start("one", [recorded("Pool", "first", "db"), new_body("second")]);
    session.append("one", [new_body("third")]);
    session.commit().await?;
    // A page of each event: what the aggregate was then is what is embedded.
    super::kit::daemon(&store)
        .page_size(1)
        .run_until_caught_up()
        .await?;
    let texts = model.texts();
    assert_eq!(
        texts,
        ["Pool\nfirst\ndb", "Pool\nsecond\ndb", "Pool\nthird\ndb"]
    );
    Ok(())
}

async fn p5_only_the_vector_of_an_inline_snapshot_is_written(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = memory_store(&world, &model).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.start("one", [recorded("Pool", "timeouts", "db")]);
    session.commit().await?;
    catch_up(&store).await?;
    // The fold says nothing of the vector, and leaves it where it is.
    session.append("one", [MemoryEvent::Read]);
    session.commit().await?;
    let memory = session.load::<Memory>("one").await?.expect("it exists");
    assert_eq!(memory.reads, 1);
    assert_eq!(
        memory.embedding.vector(),
        Some(&Model::vector(&memory.text()))
    );
    let stream = StreamId::text("one")?;
    assert_eq!(session.stream(&stream).await?.len(), 2);
    Ok(())
}

async fn p7_an_event_that_changes_nothing_of_the_text_costs_no_call(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = memory_store(&world, &model).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.start("one", [recorded("Pool", "timeouts", "db")]);
    session.commit().await?;
    catch_up(&store).await?;
    assert_eq!(model.calls().len(), 1);
    session.append("one", [MemoryEvent::Read, new_body("timeouts")]);
    session.commit().await?;
    catch_up(&store).await?;
    assert!(model.calls().is_empty());
    let status = store.daemon().status().await?;
    assert_eq!(status[0].lag_events, 0, "{status:?}");
    assert!(status[0].position > Position::START);
    Ok(())
}

async fn p7_unchanged_text_costs_no_call(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    append(&store, "s", [written("a", "alpha")]).await?;
    catch_up(&store).await?;
    assert_eq!(model.texts(), ["alpha"]);
    append(&store, "s", [written("a", "alpha")]).await?;
    catch_up(&store).await?;
    assert!(model.calls().is_empty());
    // The document is that of the last event all the same.
    let note = super::kit::notes(&store).await?.remove(0).1;
    assert_eq!((note.version, note.text.as_str()), (2, "alpha"));
    append(&store, "s", [written("a", "beta")]).await?;
    catch_up(&store).await?;
    assert_eq!(model.texts(), ["beta"]);
    assert_notes(&store, &[("a", "beta")]).await
}

async fn p7_what_cannot_be_represented_is_an_answer(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    append(&store, "s", [written("a", "???"), written("b", "beta")]).await?;
    catch_up(&store).await?;
    assert_eq!(model.texts(), ["???", "beta"]);
    let rows = super::kit::notes(&store).await?;
    assert_eq!(rows[0].1.embedding, Embedding::Absent);
    assert_eq!(rows[1].1.embedding.vector(), Some(&Model::vector("beta")));
    append(&store, "s", [written("a", "???")]).await?;
    catch_up(&store).await?;
    assert!(model.calls().is_empty());
    Ok(())
}

async fn p7_one_text_in_several_rows_is_paid_once(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    let both = [written("a", "alpha"), written("b", "alpha")];
    append(&store, "s", both).await?;
    catch_up(&store).await?;
    assert_eq!(model.texts(), ["alpha"]);
    assert_notes(&store, &[("a", "alpha"), ("b", "alpha")]).await
}
