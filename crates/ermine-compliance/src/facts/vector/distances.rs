//! V1: distances and scores.

use ermine_core::{Metric, Score};

use crate::facts::kit::{at, distances, ids, notes, passages, points, says};
use crate::facts::{Verdict, World};

facts![
    v1_smaller_is_closer_on_every_metric,
    v1_a_larger_text_score_is_better,
    v1_a_larger_hybrid_score_is_better,
    v1_the_smallest_text_score_is_inclusive,
    v1_the_smallest_hybrid_score_is_inclusive,
    v1_the_smallest_score_applies_before_offset_and_limit,
];

async fn v1_smaller_is_closer_on_every_metric(world: World) -> Verdict {
    let docs = world.open(points(2, Metric::Cosine)).await?;
    let rows = [
        at("near", [4.0, 1.0]),
        at("middle", [1.0, 1.0]),
        at("far", [-1.0, 1.0]),
    ];
    docs.put(rows).await?;
    for metric in Metric::ALL {
        let found = docs
            .search()
            .nearest_to([4.0, 0.5])
            .measured_by(metric)
            .await?;
        assert_eq!(ids(&found), ["near", "middle", "far"], "{metric}");
        let figures = distances(&found);
        assert!(figures.is_sorted(), "{metric}: {figures:?}");
        assert!(figures[0] < figures[2], "{metric}: {figures:?}");
    }
    Ok(())
}

async fn v1_a_larger_text_score_is_better(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put([
        says("once", "pool of water"),
        says("twice", "pool by pool"),
        says("never", "sea"),
    ])
    .await?;
    let found = docs.search().matching("pool").await?;
    assert_eq!(ids(&found), ["twice", "once"]);
    assert!(found[0].score > found[1].score);
    assert!(found[1].score.value() > 0.0);
    Ok(())
}

async fn v1_a_larger_hybrid_score_is_better(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put([
        says("both", "pool").with_vector("embedding", [1.0, 0.0]),
        says("text", "pool and more"),
        at("vector", [5.0, 5.0]),
    ])
    .await?;
    let found = docs.search().hybrid_with("pool", [1.0, 0.0]).await?;
    assert_eq!(found[0].document.id.to_string(), "both");
    assert_eq!(found.len(), 3);
    assert!(found[0].score > found[1].score);
    Ok(())
}

async fn v1_the_smallest_text_score_is_inclusive(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put([
        says("a", "pool pool pool"),
        says("b", "pool sea"),
        says("c", "pool sea sea sea"),
    ])
    .await?;
    let all = docs.search().matching("pool").await?;
    assert_eq!(all.len(), 3);
    let floor = all[1].score;
    let found = docs.search().matching("pool").min_score(floor).await?;
    assert_eq!(ids(&found), ids(&all[..2]));
    let above = Score::new(floor.value().next_up()).expect("a finite floor");
    let found = docs.search().matching("pool").min_score(above).await?;
    assert_eq!(ids(&found), ids(&all[..1]));
    Ok(())
}

async fn v1_the_smallest_hybrid_score_is_inclusive(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put(["a", "b", "c"].map(|id| at(id, [1.0, 0.0])))
        .await?;
    let search = || docs.search().hybrid_with("nothing here", [1.0, 0.0]);
    let all = search().await?;
    assert_eq!(ids(&all), ["a", "b", "c"]);
    let floor = all[1].score;
    assert_eq!(ids(&search().min_score(floor).await?), ["a", "b"]);
    let above = Score::new(floor.value().next_up()).expect("a finite floor");
    assert_eq!(ids(&search().min_score(above).await?), ["a"]);
    Ok(())
}

async fn v1_the_smallest_score_applies_before_offset_and_limit(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put(["a", "b", "c", "d"].map(|id| says(id, "pool").with_vector("embedding", [1.0, 0.0])))
        .await?;
    let hybrid = || {
        docs.search()
            .hybrid_with("pool", [1.0, 0.0])
            .candidate_depth(50)
    };
    let floor = hybrid().await?[2].score;
    let page = hybrid().min_score(floor).offset(1).limit(5).await?;
    assert_eq!(ids(&page), ["b", "c"]);
    let past = hybrid().min_score(floor).offset(3).limit(5).await?;
    assert!(past.is_empty());

    let floor = docs.search().matching("pool").await?[2].score;
    let page = docs
        .search()
        .matching("pool")
        .min_score(floor)
        .offset(3)
        .limit(5)
        .await?;
    assert_eq!(ids(&page), ["d"], "equal scores are all at the floor");
    Ok(())
}
