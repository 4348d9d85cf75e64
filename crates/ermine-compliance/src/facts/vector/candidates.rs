//! V7: documents without an embedding.

use ermine_core::{Answer, Embedding, Error, Metric, Read, Scope, Storage, Target, TenantScope};
use ermine_store::Store;

use crate::facts::kit::{at, doc, ids, n, points};
use crate::facts::world::Docs;
use crate::facts::{Verdict, World};

facts![
    v7_an_absent_embedding_is_no_candidate,
    v7_an_embedding_that_was_removed_is_no_candidate,
    v7_documents_with_a_vector_are_counted_as_filtered,
];

async fn v7_an_absent_embedding_is_no_candidate(world: World) -> Verdict {
    let docs = world.open(points(2, Metric::InnerProduct)).await?;
    docs.put([
        at("here", [-9.0, 0.0]),
        doc("never"),
        doc("absent").with_vector("embedding", Embedding::Absent),
    ])
    .await?;
    let found = docs.search().nearest_to([1.0, 0.0]).await?;
    assert_eq!(ids(&found), ["here"]);
    assert_eq!(docs.query().count().await?, 3);
    Ok(())
}

async fn v7_an_embedding_that_was_removed_is_no_candidate(world: World) -> Verdict {
    let docs = world.open(points(2, Metric::L1)).await?;
    docs.put([at("a", [1.0, 0.0]), at("b", [2.0, 0.0])]).await?;
    docs.put([doc("a").with_vector("embedding", Embedding::Absent)])
        .await?;
    let found = docs.search().nearest_to([1.0, 0.0]).await?;
    assert_eq!(ids(&found), ["b"]);
    let loaded = docs.load("a").await?.expect("the document is there");
    assert_eq!(loaded.embeddings["embedding"], Embedding::Absent);
    Ok(())
}

async fn v7_documents_with_a_vector_are_counted_as_filtered(world: World) -> Verdict {
    let engine = world.engine().await?;
    let store = Store::builder(engine.clone())
        .schema(points(2, Metric::L1).build()?)
        .open()
        .await?;
    let docs = Docs::of(&store, "points", None)?;
    let far = |id: &str, n: i64| at(id, [9.0, 0.0]).with("n", n);
    docs.put([
        far("a", 1),
        far("b", 2),
        far("c", 3),
        doc("none").with("n", 3),
    ])
    .await?;
    docs.put([doc("c")
        .with("n", 3)
        .with_vector("embedding", Embedding::Absent)])
        .await?;
    docs.delete("a").await?;
    let count = async |filter| {
        let target = Target {
            schema: docs.kind.schema().clone(),
            scope: Scope::live(TenantScope::Untenanted),
            filter,
        };
        let read = Read::CountVectors { target, field: 0 };
        match engine.read(&[read]).await?.as_slice() {
            [Answer::Count(count)] => Ok::<u64, Error>(*count),
            other => panic!("a count was asked for: {other:?}"),
        }
    };
    assert_eq!(count(None).await?, 1);
    assert_eq!(count(Some(n().ge(3).into_expr())).await?, 0);
    assert_eq!(count(Some(n().le(2).into_expr())).await?, 1);
    Ok(())
}
