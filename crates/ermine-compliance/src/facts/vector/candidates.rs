//! V7: documents without an embedding.

use ermine_core::{Embedding, Metric};

use crate::facts::kit::{at, doc, ids, points};
use crate::facts::{Verdict, World};

facts![
    v7_an_absent_embedding_is_no_candidate,
    v7_an_embedding_that_was_removed_is_no_candidate,
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
