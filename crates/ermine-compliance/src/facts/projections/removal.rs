//! P15: removing events' data reaches what projections made of it.

use ermine_core::Embedding;

use super::kit::{
    Memory, Note, append, assert_notes, catch_up, memory_store, note_store, notes, recorded,
    written,
};
use super::model::Model;
use crate::facts::{Verdict, World};

facts![
    p15_a_tombstone_removes_what_projections_made_of_the_stream,
    p15_a_masked_text_is_unreachable_at_once_and_made_anew,
    p15_a_masked_text_is_no_longer_in_a_snapshots_vector,
    p15_a_tombstone_while_a_page_is_embedded_leaves_nothing,
];

async fn p15_a_tombstone_removes_what_projections_made_of_the_stream(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    append(&store, "s", [written("a", "secret"), written("b", "beta")]).await?;
    append(&store, "t", [written("c", "gamma")]).await?;
    catch_up(&store).await?;
    let mut session = store.session("a");
    session.tombstone("s");
    session.commit().await?;
    assert_notes(&store, &[("c", "gamma")]).await?;
    let found = store.reader("a").search::<Note>().matching("secret");
    assert!(found.await?.is_empty());
    catch_up(&store).await?;
    assert_notes(&store, &[("c", "gamma")]).await
}

async fn p15_a_masked_text_is_unreachable_at_once_and_made_anew(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    append(&store, "s", [written("a", "secret"), written("b", "beta")]).await?;
    catch_up(&store).await?;
    model.calls();
    let mut session = store.session("a");
    session.mask("s", 1, &written("a", "masked"));
    session.commit().await?;
    assert_notes(&store, &[]).await?;
    let reader = store.reader("a");
    assert!(reader.search::<Note>().matching("secret").await?.is_empty());
    catch_up(&store).await?;
    assert_notes(&store, &[("a", "masked"), ("b", "beta")]).await?;
    // The other row was removed with it, and is paid for again.
    assert_eq!(model.texts(), ["masked", "beta"]);
    assert!(reader.search::<Note>().matching("secret").await?.is_empty());
    Ok(())
}

async fn p15_a_masked_text_is_no_longer_in_a_snapshots_vector(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = memory_store(&world, &model).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.start("one", [recorded("Pool", "secret", "db")]);
    session.commit().await?;
    catch_up(&store).await?;
    session.mask("one", 1, &recorded("Pool", "x", "db"));
    session.commit().await?;
    let memory = session.load::<Memory>("one").await?.expect("it exists");
    assert_eq!(memory.body, "x");
    assert_eq!(memory.embedding, Embedding::Absent);
    catch_up(&store).await?;
    let memory = session.load::<Memory>("one").await?.expect("it exists");
    let vector = Model::vector("Pool\nx\ndb");
    assert_eq!(memory.embedding.vector(), Some(&vector));
    Ok(())
}

async fn p15_a_tombstone_while_a_page_is_embedded_leaves_nothing(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    append(&store, "s", [written("a", "secret")]).await?;
    append(&store, "t", [written("b", "beta")]).await?;
    let removing = store.clone();
    model.meanwhile(async move {
        let mut session = removing.session("a");
        session.tombstone("s");
        let removed = session.commit().await;
        assert!(removed.is_ok_and(|token| token.position().is_none()));
    });
    catch_up(&store).await?;
    assert_eq!(model.texts(), ["secret", "beta"]);
    assert_notes(&store, &[("b", "beta")]).await?;
    assert_eq!(notes(&store).await?.len(), 1);
    Ok(())
}
