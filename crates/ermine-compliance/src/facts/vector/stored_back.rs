//! V12: vectors are returned when asked for, and what was not returned is not lost.

use ermine_core::{Embedding, Metric, Vector};

use crate::facts::kit::{at, doc, ids, notes, points, says};
use crate::facts::{Verdict, World};

facts![
    v12_searches_return_no_vectors_unless_asked,
    v12_searches_return_vectors_when_asked,
    v12_load_includes_vectors,
    v12_a_hit_stored_back_keeps_its_vector,
    v12_a_document_stored_without_a_vector_says_so,
];

fn stored() -> Embedding {
    Embedding::Present(Vector::from([1.0, 0.25]))
}

async fn v12_searches_return_no_vectors_unless_asked(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put([says("a", "pool").with_vector("embedding", [1.0, 0.25])])
        .await?;
    let vector = docs.search().nearest_to([1.0, 0.0]).await?;
    let text = docs.search().matching("pool").await?;
    let hybrid = docs.search().hybrid_with("pool", [1.0, 0.0]).await?;
    let query = docs.query().await?;
    for document in [
        &vector[0].document,
        &text[0].document,
        &hybrid[0].document,
        &query[0],
    ] {
        assert_eq!(document.embeddings["embedding"], Embedding::NotLoaded);
    }
    Ok(())
}

async fn v12_searches_return_vectors_when_asked(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put([says("a", "pool").with_vector("embedding", [1.0, 0.25])])
        .await?;
    let vector = docs.search().nearest_to([1.0, 0.0]).with_vectors().await?;
    let text = docs.search().matching("pool").with_vectors().await?;
    let hybrid = docs
        .search()
        .hybrid_with("pool", [1.0, 0.0])
        .with_vectors()
        .await?;
    let query = docs.query().with_vectors().await?;
    for document in [
        &vector[0].document,
        &text[0].document,
        &hybrid[0].document,
        &query[0],
    ] {
        assert_eq!(document.embeddings["embedding"], stored());
    }
    Ok(())
}

async fn v12_load_includes_vectors(world: World) -> Verdict {
    let docs = world.open(points(2, Metric::Cosine)).await?;
    docs.put([at("a", [1.0, 0.25]), doc("b")]).await?;
    let a = docs.load("a").await?.expect("a is stored");
    assert_eq!(a.embeddings["embedding"], stored());
    let b = docs.load("b").await?.expect("b is stored");
    assert_eq!(b.embeddings["embedding"], Embedding::Absent);
    assert!(docs.load("c").await?.is_none());
    Ok(())
}

async fn v12_a_hit_stored_back_keeps_its_vector(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put([says("a", "pool").with_vector("embedding", [1.0, 0.25])])
        .await?;
    let mut hit = docs.search().nearest_to([1.0, 0.0]).await?[0]
        .document
        .clone();
    hit = hit.with("body", "lake");
    docs.put([hit]).await?;
    let again = docs.load("a").await?.expect("a is stored");
    assert_eq!(again.get("body"), Some(&"lake".into()));
    assert_eq!(again.embeddings["embedding"], stored());
    assert_eq!(ids(&docs.search().nearest_to([1.0, 0.0]).await?), ["a"]);
    assert_eq!(ids(&docs.search().matching("lake").await?), ["a"]);
    assert!(docs.search().matching("pool").await?.is_empty());
    Ok(())
}

async fn v12_a_document_stored_without_a_vector_says_so(world: World) -> Verdict {
    let docs = world.open(points(2, Metric::Cosine)).await?;
    docs.put([at("a", [1.0, 0.25])]).await?;
    docs.put([doc("a").with_vector("embedding", Embedding::Absent)])
        .await?;
    let a = docs.load("a").await?.expect("a is stored");
    assert_eq!(a.embeddings["embedding"], Embedding::Absent);
    docs.put([doc("a")]).await?;
    let a = docs.load("a").await?.expect("a is stored");
    assert_eq!(
        a.embeddings["embedding"],
        Embedding::Absent,
        "there was none to keep"
    );
    Ok(())
}
