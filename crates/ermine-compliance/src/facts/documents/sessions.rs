//! D1: sessions.

use std::any::TypeId;

use ermine_core::{Engine, ErrorKind};
use ermine_store::{CrossTenantReader, Reader, Session};

use crate::facts::kit::{doc, ids, notes, passages, refused, says};
use crate::facts::world::Docs;
use crate::facts::{Verdict, World};

facts![
    d1_reading_and_writing_sessions_are_different_types,
    d1_nothing_is_visible_before_commit,
    d1_dropping_a_session_discards_it,
    d1_an_empty_commit_does_nothing,
    d1_a_second_commit_does_not_replay,
    d1_operations_run_in_the_order_given,
    d1_a_unit_is_written_all_or_none,
    d1_a_unit_spans_types,
    d1_what_was_committed_is_there_when_opened_again,
    d1_a_search_shown_a_token_sees_its_commit,
];

async fn d1_reading_and_writing_sessions_are_different_types(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    let reader: &Reader<Engine> = &docs.session();
    assert!(
        reader.query_in(&docs.kind).await?.is_empty(),
        "a session reads as a reader does"
    );
    let types = [
        TypeId::of::<Reader<Engine>>(),
        TypeId::of::<Session<Engine>>(),
        TypeId::of::<CrossTenantReader<Engine>>(),
    ];
    assert!(types[0] != types[1] && types[1] != types[2] && types[0] != types[2]);
    Ok(())
}

async fn d1_nothing_is_visible_before_commit(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    let mut session = docs.session();
    session.store_in(
        &docs.kind,
        &says("a", "pool").with_vector("embedding", [1.0, 0.0]),
    );
    assert_eq!(session.pending(), 1);
    for reader in [&docs.reader, &*session] {
        assert!(reader.load_in(&docs.kind, "a").await?.is_none());
        assert_eq!(reader.query_in(&docs.kind).count().await?, 0);
        assert!(
            reader
                .search_in(&docs.kind)
                .nearest_to([1.0, 0.0])
                .await?
                .is_empty()
        );
        assert!(
            reader
                .search_in(&docs.kind)
                .matching("pool")
                .await?
                .is_empty()
        );
    }
    session.commit().await?;
    assert_eq!(session.pending(), 0);
    assert_eq!(
        ids(&docs.search().hybrid_with("pool", [1.0, 0.0]).await?),
        ["a"]
    );
    assert!(session.load_in(&docs.kind, "a").await?.is_some());
    Ok(())
}

async fn d1_dropping_a_session_discards_it(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put([doc("kept")]).await?;
    let mut session = docs.session();
    session.store_in(&docs.kind, &doc("a"));
    session.delete_in(&docs.kind, "kept");
    drop(session);
    docs.put([doc("b")]).await?;
    assert_eq!(ids(&docs.query().await?), ["b", "kept"]);
    Ok(())
}

async fn d1_an_empty_commit_does_nothing(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put([doc("a")]).await?;
    let mut session = docs.session();
    let token = session.commit().await?;
    assert_eq!(session.commit().await?, token);
    assert_eq!(ids(&docs.query().at_least(token).await?), ["a"]);
    Ok(())
}

async fn d1_a_second_commit_does_not_replay(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    let mut session = docs.session();
    session.insert_in(&docs.kind, &doc("a"));
    session.store_in(&docs.kind, &doc("b"));
    session.commit().await?;
    docs.delete("b").await?;
    session.commit().await?;
    assert_eq!(ids(&docs.query().await?), ["a"]);
    session.store_in(&docs.kind, &doc("c"));
    session.commit().await?;
    assert_eq!(ids(&docs.query().await?), ["a", "c"], "a session may go on");
    Ok(())
}

async fn d1_operations_run_in_the_order_given(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    let mut session = docs.session();
    session.store_in(&docs.kind, &doc("a").with("n", 1));
    session.store_in(&docs.kind, &doc("a").with("n", 2));
    session.store_in(&docs.kind, &doc("b"));
    session.delete_in(&docs.kind, "b");
    session.delete_in(&docs.kind, "c");
    session.insert_in(&docs.kind, &doc("c"));
    session.delete_in(&docs.kind, "c");
    session.insert_in(&docs.kind, &doc("c").with("n", 3));
    session.delete_where_in(&docs.kind, crate::facts::kit::n().is_null());
    session.store_in(&docs.kind, &doc("d"));
    session.commit().await?;
    let found = docs.query().await?;
    assert_eq!(ids(&found), ["a", "c", "d"]);
    assert_eq!(found[0].get("n"), Some(&2.into()));
    Ok(())
}

async fn d1_a_unit_is_written_all_or_none(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put([says("old", "pool").with_vector("embedding", [1.0, 0.0])])
        .await?;
    let mut session = docs.session();
    session.store_in(
        &docs.kind,
        &says("new", "pool").with_vector("embedding", [1.0, 0.0]),
    );
    session.store_in(
        &docs.kind,
        &says("old", "sea").with_vector("embedding", [9.0, 0.0]),
    );
    session.delete_where_in(&docs.kind, ermine_core::Filter::all());
    session.insert_in(&docs.kind, &doc("x"));
    session.insert_in(&docs.kind, &doc("x"));
    refused(
        session.commit().await,
        ErrorKind::AlreadyExists,
        &["notes", "x"],
    );
    assert_eq!(ids(&docs.query().await?), ["old"]);
    assert_eq!(ids(&docs.search().matching("pool").await?), ["old"]);
    let nearest = docs.search().nearest_to([1.0, 0.0]).await?;
    assert_eq!(ids(&nearest), ["old"]);
    assert_eq!(nearest[0].distance.value(), 0.0);
    Ok(())
}

async fn d1_a_unit_spans_types(world: World) -> Verdict {
    let (notes, passages) = (notes().build()?, passages().build()?);
    let store = world
        .store(|builder| builder.schema(notes).schema(passages))
        .await?;
    let (a, b) = (
        Docs::of(&store, "notes", None)?,
        Docs::of(&store, "passages", None)?,
    );
    let mut session = store.session_without_tenant();
    session.store_in(&a.kind, &doc("a"));
    session.store_in(&b.kind, &doc("b"));
    session.commit().await?;
    assert_eq!(
        (ids(&a.query().await?), ids(&b.query().await?)),
        (vec!["a".into()], vec!["b".into()])
    );
    session.store_in(&a.kind, &doc("a2"));
    session.insert_in(&b.kind, &doc("b"));
    refused(
        session.commit().await,
        ErrorKind::AlreadyExists,
        &["passages", "b"],
    );
    assert_eq!(ids(&a.query().await?), ["a"]);
    Ok(())
}

async fn d1_what_was_committed_is_there_when_opened_again(world: World) -> Verdict {
    let first = world.open(notes()).await?;
    first
        .put([says("a", "pool")
            .with("n", 1)
            .with_vector("embedding", [1.0, 0.0])])
        .await?;
    let second = world.open(notes()).await?;
    assert_eq!(second.load("a").await?, first.load("a").await?);
    assert_eq!(
        ids(&second.search().hybrid_with("pool", [1.0, 0.0]).await?),
        ["a"]
    );
    // Both are open: each sees what the other commits.
    second
        .put([says("b", "pool").with_vector("embedding", [2.0, 0.0])])
        .await?;
    first.delete("a").await?;
    for docs in [&first, &second] {
        assert_eq!(ids(&docs.search().matching("pool").await?), ["b"]);
        assert_eq!(ids(&docs.search().nearest_to([1.0, 0.0]).await?), ["b"]);
    }
    Ok(())
}

async fn d1_a_search_shown_a_token_sees_its_commit(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    for i in 0..20_u8 {
        let id = format!("{i:02}");
        let document = says(&id, "pool").with_vector("embedding", [f32::from(i), 0.0]);
        let token = docs.put([document]).await?;
        let nearest = docs
            .search()
            .nearest_to([f32::from(i), 0.0])
            .at_least(token)
            .limit(1)
            .await?;
        assert_eq!(ids(&nearest), [id.as_str()]);
        let count = docs.query().at_least(token).count().await?;
        assert_eq!(count, u64::from(i) + 1);
        let text = docs
            .search()
            .matching("pool")
            .at_least(token)
            .limit(100)
            .await?;
        assert_eq!(text.len() as u64, count);
    }
    Ok(())
}
