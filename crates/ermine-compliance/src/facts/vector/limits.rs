//! V11: limits, offsets and the maximum distance.

use ermine_core::{DynamicRecord, ErrorKind, Metric};

use crate::facts::kit::{distances, ids, notes, points, refused, says};
use crate::facts::{Verdict, World};

facts![
    v11_the_default_limit_is_10,
    v11_limit_0_returns_nothing,
    v11_the_largest_limit_is_10_000,
    v11_an_offset_past_the_end_returns_nothing,
    v11_an_offset_skips_the_best,
    v11_the_maximum_distance_is_inclusive,
];

fn row(count: u8) -> impl Iterator<Item = DynamicRecord> {
    (0..count)
        .map(|i| says(&format!("{i:02}"), "pool").with_vector("embedding", [f32::from(i), 0.0]))
}

async fn v11_the_default_limit_is_10(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put(row(12)).await?;
    assert_eq!(docs.search().nearest_to([0.0, 0.0]).await?.len(), 10);
    assert_eq!(docs.search().matching("pool").await?.len(), 10);
    assert_eq!(
        docs.search().hybrid_with("pool", [0.0, 0.0]).await?.len(),
        10
    );
    Ok(())
}

async fn v11_limit_0_returns_nothing(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put(row(3)).await?;
    assert!(
        docs.search()
            .nearest_to([0.0, 0.0])
            .limit(0)
            .await?
            .is_empty()
    );
    assert!(docs.search().matching("pool").limit(0).await?.is_empty());
    assert!(
        docs.search()
            .hybrid_with("pool", [0.0, 0.0])
            .limit(0)
            .await?
            .is_empty()
    );
    assert!(docs.query().limit(0).await?.is_empty());
    Ok(())
}

async fn v11_the_largest_limit_is_10_000(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put(row(3)).await?;
    assert_eq!(
        docs.search()
            .nearest_to([0.0, 0.0])
            .limit(10_000)
            .await?
            .len(),
        3
    );
    assert_eq!(docs.search().matching("pool").limit(10_000).await?.len(), 3);
    assert_eq!(
        docs.search()
            .hybrid_with("pool", [0.0, 0.0])
            .limit(10_000)
            .await?
            .len(),
        3
    );
    let says_both = ["10001", "10000"];
    let vector = docs.search().nearest_to([0.0, 0.0]).limit(10_001).await;
    refused(vector, ErrorKind::InvalidOption, &says_both);
    let text = docs.search().matching("pool").limit(10_001).await;
    refused(text, ErrorKind::InvalidOption, &says_both);
    let hybrid = docs
        .search()
        .hybrid_with("pool", [0.0, 0.0])
        .limit(10_001)
        .await;
    refused(hybrid, ErrorKind::InvalidOption, &says_both);
    Ok(())
}

async fn v11_an_offset_past_the_end_returns_nothing(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put(row(3)).await?;
    for offset in [3, 4, usize::MAX] {
        assert!(
            docs.search()
                .nearest_to([0.0, 0.0])
                .offset(offset)
                .await?
                .is_empty()
        );
        assert!(
            docs.search()
                .matching("pool")
                .offset(offset)
                .await?
                .is_empty()
        );
        assert!(docs.query().offset(offset).await?.is_empty());
    }
    let hybrid = docs
        .search()
        .hybrid_with("pool", [0.0, 0.0])
        .offset(3)
        .candidate_depth(50);
    assert!(hybrid.await?.is_empty());
    Ok(())
}

async fn v11_an_offset_skips_the_best(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put(row(5)).await?;
    let found = docs
        .search()
        .nearest_to([0.0, 0.0])
        .offset(1)
        .limit(3)
        .await?;
    assert_eq!(ids(&found), ["01", "02", "03"]);
    let found = docs.search().matching("pool").offset(3).limit(3).await?;
    assert_eq!(ids(&found), ["03", "04"]);
    Ok(())
}

async fn v11_the_maximum_distance_is_inclusive(world: World) -> Verdict {
    let docs = world.open(points(2, Metric::Euclidean)).await?;
    docs.put(row(5)).await?;
    let near = |most| docs.search().nearest_to([0.0, 0.0]).max_distance(most);
    assert_eq!(distances(&near(2.0).await?), [0.0, 1.0, 2.0]);
    assert_eq!(distances(&near(2.0_f64.next_down()).await?), [0.0, 1.0]);
    assert_eq!(distances(&near(0.0).await?), [0.0]);
    assert!(near(-1.0).await?.is_empty());
    refused(
        near(f64::NAN).await,
        ErrorKind::InvalidOption,
        &["distance"],
    );
    Ok(())
}
