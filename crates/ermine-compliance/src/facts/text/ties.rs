//! T4: ties.

use ermine_core::{RankedLeg, fuse};

use crate::facts::kit::{at, ids, notes, passages, says};
use crate::facts::{Verdict, World};

facts![
    t4_equal_text_scores_are_in_the_order_of_ids,
    t4_fused_ties_are_by_best_rank_then_id,
    t4_fused_ties_of_documents_are_by_id,
    t4_an_order_is_the_same_every_time,
];

async fn t4_equal_text_scores_are_in_the_order_of_ids(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put(["c", "a", "10", "b", "9"].map(|id| says(id, "pool of water")))
        .await?;
    let found = docs.search().matching("pool").await?;
    assert_eq!(ids(&found), ["10", "9", "a", "b", "c"]);
    let found = docs.search().matching("pool").limit(2).offset(1).await?;
    assert_eq!(ids(&found), ["9", "a"]);
    Ok(())
}

async fn t4_fused_ties_are_by_best_rank_then_id(_world: World) -> Verdict {
    let keys = |legs: [Vec<&'static str>; 2]| {
        let fused = fuse(&legs.map(RankedLeg::new), 60)?;
        Ok::<_, ermine_core::Error>(
            fused
                .into_iter()
                .map(|f| (f.key, f.score))
                .collect::<Vec<_>>(),
        )
    };
    let fused = keys([vec!["A", "B"], vec!["B", "A"]])?;
    assert_eq!((fused[0].0, fused[1].0), ("A", "B"));
    assert_eq!(fused[0].1, fused[1].1);
    assert!((fused[0].1.value() - 0.032522475).abs() < 1e-9);
    let fused = keys([vec!["b"], vec!["a"]])?;
    assert_eq!((fused[0].0, fused[1].0), ("a", "b"));
    // With k = 1, rank 1 alone (1/2) ties with ranks 3 and 3 (1/4 + 1/4).
    let legs = [
        RankedLeg::new(["z", "x", "a"]),
        RankedLeg::new(["q", "r", "a"]),
    ];
    let fused = fuse(&legs, 1)?;
    let keys: Vec<_> = fused.iter().map(|f| f.key).collect();
    assert_eq!(
        keys,
        ["q", "z", "a", "r", "x"],
        "the best rank goes before the id"
    );
    Ok(())
}

async fn t4_fused_ties_of_documents_are_by_id(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put([
        says("b", "pool"),
        at("a", [0.0, 0.0]),
        says("d", "pool sea"),
        at("c", [1.0, 0.0]),
    ])
    .await?;
    let found = docs.search().hybrid_with("pool", [0.0, 0.0]).await?;
    assert_eq!(ids(&found), ["a", "b", "c", "d"]);
    assert_eq!(found[0].score, found[1].score);
    Ok(())
}

async fn t4_an_order_is_the_same_every_time(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    for i in (0..40).rev() {
        let body = ["pool", "pool sea", "sea"][i % 3];
        docs.put([says(&format!("{i:02}"), body).with_vector("embedding", [(i % 4) as f32, 0.0])])
            .await?;
    }
    let first = ids(&docs
        .search()
        .hybrid_with("pool", [0.0, 0.0])
        .limit(40)
        .await?);
    let again = world.open(notes()).await?;
    for _ in 0..3 {
        let found = again
            .search()
            .hybrid_with("pool", [0.0, 0.0])
            .limit(40)
            .await?;
        assert_eq!(ids(&found), first);
    }
    Ok(())
}
