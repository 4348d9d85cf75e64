//! T2: how many candidates a leg returns.

use ermine_core::{DynamicRecord, EmptyLeg, ErrorKind};

use crate::facts::kit::{ids, notes, refused, says};
use crate::facts::{Verdict, World};

facts![
    t2_the_default_depth_is_50_at_least,
    t2_the_default_depth_is_four_times_the_limit,
    t2_an_explicit_depth_is_the_depth_of_each_leg,
    t2_a_depth_below_the_page_is_refused,
    t2_a_depth_above_the_largest_is_refused,
    t2_a_limit_of_0_runs_no_leg,
    t2_k_below_1_is_refused,
    t2_an_offset_needs_an_explicit_depth,
    t2_pages_of_one_depth_concatenate,
];

/// `count` documents, numbered in the order of both legs.
fn ranked(count: u16) -> impl Iterator<Item = DynamicRecord> {
    (0..count)
        .map(|i| says(&format!("{i:03}"), "pool").with_vector("embedding", [f32::from(i), 0.0]))
}

async fn t2_the_default_depth_is_50_at_least(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put(ranked(60)).await?;
    let found = docs
        .search()
        .hybrid_with("pool", [0.0, 0.0])
        .limit(3)
        .await?;
    let returned: Vec<_> = found
        .outcome()
        .legs
        .iter()
        .map(|leg| leg.returned)
        .collect();
    assert_eq!(returned, [50, 50]);
    assert_eq!(ids(&found), ["000", "001", "002"]);
    Ok(())
}

async fn t2_the_default_depth_is_four_times_the_limit(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put(ranked(100)).await?;
    for limit in [12, 13, 20] {
        let found = docs
            .search()
            .hybrid_with("pool", [0.0, 0.0])
            .limit(limit)
            .await?;
        let returned: Vec<_> = found
            .outcome()
            .legs
            .iter()
            .map(|leg| leg.returned)
            .collect();
        assert_eq!(returned, [(4 * limit).max(50); 2]);
    }
    Ok(())
}

async fn t2_an_explicit_depth_is_the_depth_of_each_leg(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put(ranked(9)).await?;
    // The text's order is by id, the vector's from the far end: a depth of 5 lets
    // the legs meet in the middle only.
    let found = docs
        .search()
        .hybrid_with("pool", [8.0, 0.0])
        .limit(5)
        .candidate_depth(5)
        .await?;
    assert_eq!(found[0].document.id.to_string(), "004");
    assert_eq!(found[0].legs.len(), 2);
    assert!(found[1..].iter().all(|hit| hit.legs.len() == 1));
    Ok(())
}

async fn t2_a_depth_below_the_page_is_refused(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    let hybrid = || docs.search().hybrid_with("pool", [0.0, 0.0]);
    let below = hybrid().limit(10).candidate_depth(9).await;
    refused(below, ErrorKind::InvalidOption, &["9", "10"]);
    let below = hybrid().limit(10).offset(5).candidate_depth(14).await;
    refused(below, ErrorKind::InvalidOption, &["14", "5", "10"]);
    assert!(
        hybrid()
            .limit(10)
            .offset(5)
            .candidate_depth(15)
            .await?
            .is_empty()
    );
    assert!(hybrid().limit(10).candidate_depth(10).await?.is_empty());
    Ok(())
}

async fn t2_a_depth_above_the_largest_is_refused(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    let hybrid = || docs.search().hybrid_with("pool", [0.0, 0.0]);
    assert!(hybrid().candidate_depth(10_000).await?.is_empty());
    let above = hybrid().candidate_depth(10_001).await;
    refused(above, ErrorKind::InvalidOption, &["10001", "10000"]);
    let fused = || {
        let key = |found: &DynamicRecord| found.id.clone();
        docs.reader.fuse().text_in(&docs.kind, "pool", key)
    };
    assert!(fused().candidate_depth(10_000).await?.is_empty());
    let above = fused().candidate_depth(10_001).await;
    refused(above, ErrorKind::InvalidOption, &["10001", "10000"]);
    Ok(())
}

async fn t2_a_limit_of_0_runs_no_leg(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put(ranked(3)).await?;
    let found = docs
        .search()
        .hybrid_with("pool", [0.0, 0.0])
        .limit(0)
        .await?;
    assert!(found.is_empty());
    let empty: Vec<_> = found.outcome().legs.iter().map(|leg| leg.empty).collect();
    assert_eq!(empty, [Some(EmptyLeg::NothingAsked); 2]);
    let key = |found: &DynamicRecord| found.id.clone();
    let fusion = docs.reader.fuse().text_in(&docs.kind, "pool", key);
    let found = fusion.limit(0).await?;
    assert!(found.is_empty());
    assert_eq!(found.outcome().legs[0].empty, Some(EmptyLeg::NothingAsked));
    Ok(())
}

async fn t2_k_below_1_is_refused(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    let zero = docs.search().hybrid_with("pool", [0.0, 0.0]).k(0).await;
    refused(zero, ErrorKind::InvalidOption, &["k"]);
    assert!(
        docs.search()
            .hybrid_with("pool", [0.0, 0.0])
            .k(1)
            .await?
            .is_empty()
    );
    Ok(())
}

async fn t2_an_offset_needs_an_explicit_depth(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    let implicit = docs
        .search()
        .hybrid_with("pool", [0.0, 0.0])
        .offset(1)
        .await;
    refused(implicit, ErrorKind::InvalidOption, &["offset", "depth"]);
    let explicit = docs
        .search()
        .hybrid_with("pool", [0.0, 0.0])
        .offset(1)
        .candidate_depth(11);
    assert!(explicit.await?.is_empty());
    Ok(())
}

async fn t2_pages_of_one_depth_concatenate(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put(ranked(40)).await?;
    let hybrid = || {
        docs.search()
            .hybrid_with("pool", [17.3, 0.0])
            .candidate_depth(30)
    };
    let whole = ids(&hybrid().limit(30).await?);
    let mut pages = Vec::new();
    for offset in (0..30).step_by(7) {
        pages.extend(ids(&hybrid()
            .offset(offset)
            .limit(7.min(30 - offset))
            .await?));
    }
    assert_eq!(pages, whole);
    Ok(())
}
