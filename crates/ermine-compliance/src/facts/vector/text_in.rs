//! V15: text where a vector is needed.

use ermine_core::{EmptyLeg, ErrorKind, Result, Role};

use crate::facts::kit::{at, ids, notes, refused, says};
use crate::facts::provider::{Call, Scribe};
use crate::facts::world::Docs;
use crate::facts::{Verdict, World};

facts![
    v15_a_text_is_embedded_once_as_a_query,
    v15_a_hybrid_embeds_its_text_once_as_a_query,
    v15_a_vector_of_ones_own_is_not_embedded,
    v15_without_a_provider_text_is_refused,
    v15_a_text_that_cannot_be_represented_finds_nothing_and_says_so,
    v15_a_search_that_is_refused_embeds_nothing,
];

async fn with_provider(world: &World, scribe: &Scribe) -> Result<Docs> {
    let schema = notes().build()?;
    let store = world
        .store(|builder| builder.schema(schema).embeddings(scribe.clone()))
        .await?;
    let docs = Docs::of(&store, "notes", None)?;
    docs.put([
        says("three", "pool").with_vector("embedding", [3.0, 1.0]),
        says("nine", "sea").with_vector("embedding", [9.0, 1.0]),
    ])
    .await?;
    assert!(scribe.calls().is_empty(), "the caller feeds this field");
    Ok(docs)
}

fn one_query(text: &str) -> Vec<Call> {
    vec![Call {
        role: Role::Query,
        texts: vec![text.to_owned()],
    }]
}

async fn v15_a_text_is_embedded_once_as_a_query(world: World) -> Verdict {
    let scribe = Scribe::new();
    let docs = with_provider(&world, &scribe).await?;
    let found = docs.search().nearest_text("eightttt").await?;
    assert_eq!(ids(&found), ["nine", "three"]);
    assert_eq!(found[0].distance.value(), 1.0);
    assert_eq!(scribe.calls(), one_query("eightttt"));
    Ok(())
}

async fn v15_a_hybrid_embeds_its_text_once_as_a_query(world: World) -> Verdict {
    let scribe = Scribe::new();
    let docs = with_provider(&world, &scribe).await?;
    let found = docs.search().hybrid("pool").await?;
    assert_eq!(ids(&found), ["three", "nine"]);
    assert_eq!(found[0].legs.len(), 2);
    assert_eq!(scribe.calls(), one_query("pool"));
    Ok(())
}

async fn v15_a_vector_of_ones_own_is_not_embedded(world: World) -> Verdict {
    let scribe = Scribe::new();
    let docs = with_provider(&world, &scribe).await?;
    docs.search().nearest_to([1.0, 1.0]).await?;
    docs.search().hybrid_with("pool", [1.0, 1.0]).await?;
    docs.search().matching("pool").await?;
    assert!(scribe.calls().is_empty());
    Ok(())
}

async fn v15_without_a_provider_text_is_refused(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    let empty = docs.search().nearest_text("pool").await;
    refused(empty, ErrorKind::NoProvider, &["notes", "embedding"]);
    docs.put([at("a", [1.0, 1.0])]).await?;
    let nearest = docs.search().nearest_text("pool").limit(0).await;
    refused(nearest, ErrorKind::NoProvider, &["notes", "embedding"]);
    let hybrid = docs.search().hybrid("pool").await;
    refused(hybrid, ErrorKind::NoProvider, &["notes", "embedding"]);
    Ok(())
}

async fn v15_a_text_that_cannot_be_represented_finds_nothing_and_says_so(world: World) -> Verdict {
    let scribe = Scribe::new();
    let docs = with_provider(&world, &scribe).await?;
    let found = docs.search().nearest_text("???").await?;
    assert!(found.is_empty());
    assert_eq!(
        found.outcome().legs[0].empty,
        Some(EmptyLeg::NotRepresentable)
    );
    Ok(())
}

async fn v15_a_search_that_is_refused_embeds_nothing(world: World) -> Verdict {
    let scribe = Scribe::new();
    let docs = with_provider(&world, &scribe).await?;
    let limit = docs.search().nearest_text("pool").limit(10_001).await;
    refused(limit, ErrorKind::InvalidOption, &["10001"]);
    let depth = docs
        .search()
        .hybrid("pool")
        .limit(10)
        .candidate_depth(9)
        .await;
    refused(depth, ErrorKind::InvalidOption, &["9"]);
    let field = docs
        .search()
        .nearest_text("pool")
        .vector_field_named("title")
        .await;
    refused(field, ErrorKind::UnknownField, &["title"]);
    assert!(scribe.calls().is_empty());
    Ok(())
}
