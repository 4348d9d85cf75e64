//! T9: all legs of a call see one snapshot.

use ermine_core::{DynamicRecord, Figure, IdType, LegKind, Metric, Schema};
use futures_util::future::try_join;

use crate::facts::kit::{at, notes, says};
use crate::facts::world::Docs;
use crate::facts::{Verdict, World};

facts![
    t9_the_legs_of_a_search_see_one_snapshot,
    t9_the_legs_of_a_fusion_see_one_snapshot,
];

/// The one document, in its two states: what its text says tells where it is.
fn state(round: u32) -> DynamicRecord {
    let (body, place) = if round.is_multiple_of(2) {
        ("pool", 0.0)
    } else {
        ("sea", 5.0)
    };
    says("moving", body).with_vector("embedding", [place, 0.0])
}

async fn t9_the_legs_of_a_search_see_one_snapshot(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put([state(0)]).await?;
    let writing = async {
        for round in 1..150 {
            docs.put([state(round)]).await?;
        }
        Ok(())
    };
    let reading = async {
        for _ in 0..150 {
            let found = docs.search().hybrid_with("pool", [0.0, 0.0]).await?;
            let legs = &found[0].legs;
            let says_pool = legs.iter().any(|leg| leg.kind == LegKind::Text);
            let distance = legs.iter().find_map(|leg| match leg.figure {
                Figure::Distance(distance) => Some(distance.value()),
                Figure::Score(_) => None,
            });
            let expected = if says_pool { 0.0 } else { 5.0 };
            assert_eq!(
                distance,
                Some(expected),
                "the legs disagree about the document"
            );
            let body = found[0].document.get("body").and_then(|body| body.as_str());
            assert_eq!(
                body == Some("pool"),
                says_pool,
                "the body is another snapshot's"
            );
        }
        Ok(())
    };
    try_join(writing, reading).await.map(drop)
}

async fn t9_the_legs_of_a_fusion_see_one_snapshot(world: World) -> Verdict {
    let texts = Schema::builder("texts", "id", IdType::Text)
        .text("body", 1.0)
        .build()?;
    let places = Schema::builder("places", "id", IdType::Text).vector("embedding", 1, Metric::L1);
    let places = places.build()?;
    let store = world
        .store(|builder| builder.schema(texts).schema(places))
        .await?;
    let (texts, places) = (
        Docs::of(&store, "texts", None)?,
        Docs::of(&store, "places", None)?,
    );
    // One unit writes both: the text says `pool` while the place is 0.
    let write = async |round: u32| {
        let (body, place) = if round.is_multiple_of(2) {
            ("pool", 0.0)
        } else {
            ("sea", 5.0)
        };
        let mut session = store.session_without_tenant();
        session.store_in(&texts.kind, &says("moving", body));
        session.store_in(&places.kind, &at("moving", [place]));
        session.commit().await
    };
    write(0).await?;
    let writing = async {
        for round in 1..150 {
            write(round).await?;
        }
        Ok(())
    };
    let reading = async {
        for _ in 0..150 {
            let key = |document: &DynamicRecord| document.id.to_string();
            let fused = texts.reader.fuse().text_in(&texts.kind, "pool", key);
            let found = fused.vector_in(&places.kind, [0.0], key).await?;
            let legs = &found[0].legs;
            let says_pool = legs.iter().any(|leg| leg.kind == LegKind::Text);
            let at_0 = legs.iter().any(
                |leg| matches!(leg.figure, Figure::Distance(distance) if distance.value() == 0.0),
            );
            assert_eq!(says_pool, at_0, "the legs are of two moments");
        }
        Ok(())
    };
    try_join(writing, reading).await.map(drop)
}
