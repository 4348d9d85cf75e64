//! P3, P4, P14: selectors, the last word in a page, and whose rows they are.

use ermine_core::ErrorKind;

use super::kit::{
    Note, append, assert_notes, catch_up, daemon, erased, note_store, notes, written,
};
use super::model::Model;
use crate::facts::kit::failed;
use crate::facts::{Verdict, World};

facts![
    p3_a_selector_that_panics_stops_the_shard_and_is_no_content,
    p3_an_event_that_says_nothing_leaves_the_row,
    p3_an_empty_text_removes_the_row,
    p4_the_last_word_of_a_page_wins_deletes_included,
    p14_rows_belong_to_the_tenant_of_their_event,
];

async fn p3_a_selector_that_panics_stops_the_shard_and_is_no_content(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    append(&store, "s", [written("a", "alpha")]).await?;
    catch_up(&store).await?;
    append(&store, "s", [written("a", "bad"), written("b", "beta")]).await?;
    let error = failed(catch_up(&store).await);
    assert_eq!(error.kind(), ErrorKind::Paused, "{error}");
    assert!(error.to_string().contains("a bad note"), "{error}");
    assert_notes(&store, &[("a", "alpha")]).await?;
    let status = store.daemon().status().await?;
    let reason = status[0].paused.clone().expect("it is paused");
    assert!(reason.contains("a bad note"), "{reason}");
    assert_eq!(status[0].leader, None);
    Ok(())
}

async fn p3_an_event_that_says_nothing_leaves_the_row(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    append(&store, "s", [written("a", "alpha")]).await?;
    catch_up(&store).await?;
    append(&store, "s", [written("a", "nothing to say")]).await?;
    catch_up(&store).await?;
    assert_eq!(model.texts(), ["alpha"]);
    assert_notes(&store, &[("a", "alpha")]).await
}

async fn p3_an_empty_text_removes_the_row(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    append(&store, "s", [written("a", "alpha"), written("b", "beta")]).await?;
    catch_up(&store).await?;
    append(&store, "s", [written("a", "")]).await?;
    catch_up(&store).await?;
    assert_notes(&store, &[("b", "beta")]).await
}

async fn p4_the_last_word_of_a_page_wins_deletes_included(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    append(&store, "s", [written("a", "a"), erased("a")]).await?;
    catch_up(&store).await?;
    assert!(model.calls().is_empty());
    assert_notes(&store, &[]).await?;
    append(&store, "s", [erased("a"), written("a", "b")]).await?;
    catch_up(&store).await?;
    assert_eq!(model.texts(), ["b"]);
    assert_notes(&store, &[("a", "b")]).await?;
    append(&store, "s", [written("b", "a"), written("b", "bb")]).await?;
    append(&store, "s", [erased("a"), written("a", "again")]).await?;
    daemon(&store).page_size(4).run_until_caught_up().await?;
    let mut texts = model.texts();
    texts.sort();
    assert_eq!(texts, ["again", "bb"]);
    assert_notes(&store, &[("a", "again"), ("b", "bb")]).await
}

async fn p14_rows_belong_to_the_tenant_of_their_event(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    for (tenant, text) in [("a", "of a"), ("b", "of bob")] {
        let mut session = store.session(tenant);
        session.append("s", [written("n", text)]);
        session.commit().await?;
    }
    catch_up(&store).await?;
    let rows = notes(&store).await?;
    let found: Vec<_> = rows
        .iter()
        .map(|(tenant, note)| (tenant.as_deref(), note.text.as_str()))
        .collect();
    assert_eq!(found, [(Some("a"), "of a"), (Some("b"), "of bob")]);
    // One page of both tenants: a delete of one's leaves the other's.
    let mut session = store.session("a");
    session.append("s", [erased("n")]);
    session.commit().await?;
    let mut session = store.session("b");
    session.append("s", [written("n", "of bob still")]);
    session.commit().await?;
    catch_up(&store).await?;
    assert!(store.reader("a").load::<Note>("n").await?.is_none());
    let note = store.reader("b").load::<Note>("n").await?;
    assert_eq!(note.map(|note| note.text), Some("of bob still".to_owned()));
    Ok(())
}
