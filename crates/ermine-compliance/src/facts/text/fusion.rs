//! T3: reciprocal rank fusion.

use ermine_core::{DynamicRecord, ErrorKind, IdType, Metric, RankedLeg, Schema, fuse};

use crate::facts::kit::{assert_near, at, doc, ids, notes, refused, says};
use crate::facts::world::Docs;
use crate::facts::{Verdict, World};

facts![
    t3_fused_scores_have_their_values,
    t3_fusion_is_a_function_without_a_store,
    t3_only_ranks_count,
    t3_a_key_repeated_in_a_leg_counts_once,
    t3_weights_multiply_what_a_leg_contributes,
    t3_a_leg_of_weight_0_is_left_out,
    t3_weights_that_say_nothing_are_refused,
    t3_legs_may_be_of_different_types,
];

/// Documents whose text leg ranks A, B, C for `pool` and whose vector leg ranks
/// C, A, D for the origin, given a depth of 3.
fn sample() -> [DynamicRecord; 4] {
    [
        says("A", "pool pool pool").with_vector("embedding", [2.0, 0.0]),
        says("B", "pool pool sea").with_vector("embedding", [9.0, 0.0]),
        says("C", "pool sea sea").with_vector("embedding", [1.0, 0.0]),
        says("D", "sea sea sea").with_vector("embedding", [3.0, 0.0]),
    ]
}

async fn t3_fused_scores_have_their_values(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put(sample()).await?;
    let found = docs
        .search()
        .hybrid_with("pool", [0.0, 0.0])
        .limit(3)
        .candidate_depth(3)
        .await?;
    assert_eq!(ids(&found), ["A", "C", "B"]);
    let all = docs
        .search()
        .hybrid_with("pool", [0.0, 0.0])
        .limit(4)
        .candidate_depth(4)
        .await?;
    assert_eq!(ids(&all), ["A", "C", "B", "D"]);
    let scores: Vec<_> = found.iter().map(|hit| hit.score.value()).collect();
    assert_near(&scores, &[0.032522475, 0.032266458, 0.016129032]);
    Ok(())
}

async fn t3_fusion_is_a_function_without_a_store(_world: World) -> Verdict {
    let fused = fuse(
        &[
            RankedLeg::new(["A", "B", "C"]),
            RankedLeg::new(["C", "A", "D"]),
        ],
        60,
    )?;
    let keys: Vec<_> = fused.iter().map(|fused| fused.key).collect();
    assert_eq!(keys, ["A", "C", "B", "D"]);
    let scores: Vec<_> = fused.iter().map(|fused| fused.score.value()).collect();
    let expected = [0.032522475, 0.032266458, 0.016129032, 0.015873016];
    for (score, expected) in scores.iter().zip(expected) {
        assert!((score - expected).abs() < 1e-9);
    }
    // First in one leg and third in the other beats second in both.
    let fused = fuse(
        &[
            RankedLeg::new(["x", "y", "z"]),
            RankedLeg::new(["w", "y", "x"]),
        ],
        60,
    )?;
    assert_eq!((fused[0].key, fused[1].key), ("x", "y"));
    Ok(())
}

async fn t3_only_ranks_count(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put(sample()).await?;
    let near = docs.search().hybrid_with("pool", [0.0, 0.0]).await?;
    for hit in &docs
        .search()
        .hybrid_with("pool pool", [-900.0, 0.0])
        .await?
    {
        let same = near
            .iter()
            .find(|other| other.document.id == hit.document.id);
        assert_eq!(same.map(|other| other.score), Some(hit.score));
    }
    Ok(())
}

async fn t3_a_key_repeated_in_a_leg_counts_once(_world: World) -> Verdict {
    let fused = fuse(
        &[RankedLeg::new(["A", "B", "A"]), RankedLeg::new(["B"])],
        60,
    )?;
    let scores: Vec<_> = fused.iter().map(|f| (f.key, f.score.value())).collect();
    assert_eq!(fused.len(), 2);
    assert_eq!((scores[0].0, scores[1].0), ("B", "A"));
    assert_near(&[scores[0].1, scores[1].1], &[0.032522475, 0.016393443]);
    // What stands after a repeated key moves up.
    let fused = fuse(&[RankedLeg::new(["A", "A", "B"])], 60)?;
    assert_near(&[fused[1].score.value()], &[1.0 / 62.0]);
    Ok(())
}

async fn t3_weights_multiply_what_a_leg_contributes(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put(sample()).await?;
    let found = docs
        .search()
        .hybrid_with("pool", [0.0, 0.0])
        .leg_weights(0.5, 3.0)
        .limit(4)
        .candidate_depth(4)
        .await?;
    assert_eq!(ids(&found), ["C", "A", "B", "D"]);
    let scores: Vec<_> = found.iter().map(|hit| hit.score.value()).collect();
    let expected = [(3.0, 1.0), (1.0, 2.0), (2.0, 4.0)]
        .map(|(text, vector)| 0.5 / (60.0 + text) + 3.0 / (60.0 + vector));
    assert_near(
        &scores,
        &[expected[0], expected[1], expected[2], 3.0 / 63.0],
    );
    Ok(())
}

async fn t3_a_leg_of_weight_0_is_left_out(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put(sample()).await?;
    let hybrid = || docs.search().hybrid_with("pool", [0.0, 0.0]);
    let text = hybrid().leg_weights(1.0, 0.0).await?;
    assert_eq!(ids(&text), ["A", "B", "C"]);
    assert!(text.iter().all(|hit| hit.legs.len() == 1));
    let vector = hybrid().leg_weights(0.0, 1.0).await?;
    assert_eq!(ids(&vector), ["C", "A", "D", "B"]);
    Ok(())
}

async fn t3_weights_that_say_nothing_are_refused(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    let wrong = [
        (0.0, 0.0),
        (-1.0, 1.0),
        (1.0, f64::NAN),
        (f64::INFINITY, 1.0),
    ];
    for (text, vector) in wrong {
        let hybrid = docs
            .search()
            .hybrid_with("pool", [0.0, 0.0])
            .leg_weights(text, vector);
        refused(hybrid.await, ErrorKind::InvalidOption, &["weight"]);
        let legs = [
            RankedLeg::weighted(["a"], text),
            RankedLeg::weighted(["b"], vector),
        ];
        refused(fuse(&legs, 60), ErrorKind::InvalidOption, &["weight"]);
    }
    Ok(())
}

async fn t3_legs_may_be_of_different_types(world: World) -> Verdict {
    let texts = Schema::builder("texts", "id", IdType::Text).text("body", 1.0);
    let places = Schema::builder("places", "id", IdType::Text).vector("embedding", 1, Metric::L1);
    let (texts, places) = (texts.build()?, places.build()?);
    let store = world
        .store(|builder| builder.schema(texts).schema(places))
        .await?;
    let (texts, places) = (
        Docs::of(&store, "texts", None)?,
        Docs::of(&store, "places", None)?,
    );
    texts
        .put([says("A", "pool pool"), says("B", "pool sea"), doc("D")])
        .await?;
    places.put([at("B", [0.0]), at("C", [1.0])]).await?;
    let fused = texts
        .reader
        .fuse()
        .text_in(&texts.kind, "pool", |document| document.id.to_string())
        .vector_in(&places.kind, [0.0], |document| document.id.to_string())
        .limit(10)
        .await?;
    let keys: Vec<_> = fused.iter().map(|hit| hit.key.as_str()).collect();
    assert_eq!(keys, ["B", "A", "C"]);
    assert_near(&[fused[0].score.value()], &[1.0 / 62.0 + 1.0 / 61.0]);
    assert_eq!(fused[0].legs.len(), 2);
    Ok(())
}
