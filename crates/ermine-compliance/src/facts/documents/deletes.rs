//! D2: deleting.

use ermine_core::Filter;

use crate::facts::kit::{doc, ids, n, notes, passages, says, scope};
use crate::facts::world::Docs;
use crate::facts::{Verdict, World};

facts![
    d2_a_deleted_document_is_gone_from_everything,
    d2_deleting_a_missing_id_does_nothing,
    d2_deleting_touches_only_the_named_type,
    d2_delete_where_takes_a_filter,
];

async fn d2_a_deleted_document_is_gone_from_everything(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    let document = |id| {
        says(id, "pool")
            .with("tags", vec!["db"])
            .with_vector("embedding", [1.0, 0.0])
    };
    docs.put([document("a"), document("b")]).await?;
    docs.delete("a").await?;
    assert!(docs.load("a").await?.is_none());
    assert_eq!(ids(&docs.query().including_deleted().await?), ["b"]);
    assert_eq!(docs.query().count().await?, 1);
    assert_eq!(ids(&docs.search().nearest_to([1.0, 0.0]).await?), ["b"]);
    assert_eq!(ids(&docs.search().matching("pool").await?), ["b"]);
    assert_eq!(
        ids(&docs.search().hybrid_with("pool", [1.0, 0.0]).await?),
        ["b"]
    );
    // Nothing of it comes back with a new document of the same id.
    docs.put([doc("a")]).await?;
    let again = docs.load("a").await?.expect("a is stored");
    assert!(again.embeddings["embedding"].vector().is_none());
    assert_eq!(ids(&docs.search().matching("pool").await?), ["b"]);
    let tags = ermine_core::Column::<_, Vec<String>>::new("tags");
    assert_eq!(docs.passing(tags.contains("db")).await?, ["b"]);
    Ok(())
}

async fn d2_deleting_a_missing_id_does_nothing(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put([doc("a")]).await?;
    docs.delete("b").await?;
    docs.delete("b").await?;
    assert_eq!(ids(&docs.query().await?), ["a"]);
    Ok(())
}

async fn d2_deleting_touches_only_the_named_type(world: World) -> Verdict {
    let (first, second) = (notes().build()?, passages().build()?);
    let store = world
        .store(|builder| builder.schema(first).schema(second))
        .await?;
    let notes = Docs::of(&store, "notes", None)?;
    let passages = Docs::of(&store, "passages", None)?;
    notes.put([says("a", "pool"), says("b", "pool")]).await?;
    passages.put([says("a", "pool"), says("b", "pool")]).await?;
    notes.delete("a").await?;
    assert_eq!(ids(&passages.query().await?), ["a", "b"]);
    let mut session = notes.session();
    session.delete_where_in(&notes.kind, Filter::all());
    session.commit().await?;
    assert!(notes.query().await?.is_empty());
    assert_eq!(ids(&passages.search().matching("pool").await?), ["a", "b"]);
    Ok(())
}

async fn d2_delete_where_takes_a_filter(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put((0..10).map(|i| {
        says(&i.to_string(), "pool")
            .with("n", i)
            .with("scope", ["x", "y"][i % 2])
    }))
    .await?;
    let mut session = docs.session();
    session.delete_where_in(&docs.kind, n().ge(4) & !scope().eq("y"));
    session.commit().await?;
    assert_eq!(
        ids(&docs.query().await?),
        ["0", "1", "2", "3", "5", "7", "9"]
    );
    assert_eq!(
        ids(&docs.search().matching("pool").await?),
        ["0", "1", "2", "3", "5", "7", "9"]
    );
    session.delete_where_in(&docs.kind, Filter::none());
    session.commit().await?;
    assert_eq!(docs.query().count().await?, 7);
    Ok(())
}
