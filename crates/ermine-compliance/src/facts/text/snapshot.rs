//! T9: all legs of a call see one snapshot.

use ermine_core::{DynamicRecord, Figure, LegKind};
use futures_util::future::try_join;

use crate::facts::kit::{notes, says};
use crate::facts::{Verdict, World};

facts![t9_the_legs_of_a_search_see_one_snapshot];

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
