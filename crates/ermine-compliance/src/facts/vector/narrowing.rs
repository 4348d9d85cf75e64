//! V9: filter, tenant and soft delete narrow before the limit.

use ermine_core::{Deletion, DynamicRecord, Filter, Metric, Tenancy};

use crate::facts::kit::{at, ids, n, points, scope};
use crate::facts::{Verdict, World};

facts![
    v9_a_filter_applies_before_the_limit,
    v9_tenants_apply_before_the_limit,
    v9_soft_deletes_apply_before_the_limit,
    v9_as_many_are_returned_as_there_are_up_to_the_limit,
    v9_a_filter_does_not_replace_the_tenant,
    v9_a_filter_does_not_replace_the_soft_delete,
];

/// `count` documents in a row, named and numbered from `from`, each further away than the one before.
fn row(count: i32, from: i32, place: &'static str) -> impl Iterator<Item = DynamicRecord> {
    (from..from + count).map(move |i| {
        at(&format!("{place}{i:04}"), [i as f32, 0.0])
            .with("scope", place)
            .with("n", i)
    })
}

async fn v9_a_filter_applies_before_the_limit(world: World) -> Verdict {
    let docs = world.open(points(2, Metric::Euclidean)).await?;
    docs.put(row(100, 0, "B").chain(row(1_000, 100, "A")))
        .await?;
    let found = docs
        .search()
        .nearest_to([0.0, 0.0])
        .filter(scope().eq("A"))
        .limit(10)
        .await?;
    let expected: Vec<_> = (100..110).map(|i| format!("A{i:04}")).collect();
    assert_eq!(ids(&found), expected);
    Ok(())
}

async fn v9_tenants_apply_before_the_limit(world: World) -> Verdict {
    let schema = points(2, Metric::Euclidean).tenancy(Tenancy::Conjoined);
    let near = world.open(schema).await?.tenant("near")?;
    let far = near.tenant("far")?;
    near.put(row(100, 0, "B")).await?;
    far.put(row(30, 100, "A")).await?;
    let found = far.search().nearest_to([0.0, 0.0]).limit(10).await?;
    let expected: Vec<_> = (100..110).map(|i| format!("A{i:04}")).collect();
    assert_eq!(ids(&found), expected);
    Ok(())
}

async fn v9_soft_deletes_apply_before_the_limit(world: World) -> Verdict {
    let docs = world
        .open(points(2, Metric::Euclidean).deletion(Deletion::Soft))
        .await?;
    docs.put(row(100, 0, "B").chain(row(30, 100, "A"))).await?;
    let mut session = docs.session();
    session.delete_where_in(&docs.kind, scope().eq("B"));
    session.commit().await?;
    let found = docs.search().nearest_to([0.0, 0.0]).limit(10).await?;
    let expected: Vec<_> = (100..110).map(|i| format!("A{i:04}")).collect();
    assert_eq!(ids(&found), expected);
    Ok(())
}

async fn v9_as_many_are_returned_as_there_are_up_to_the_limit(world: World) -> Verdict {
    let docs = world.open(points(2, Metric::Euclidean)).await?;
    docs.put(row(60, 0, "B").chain(row(60, 60, "A"))).await?;
    // Of scope A and at most 89 away there are 30.
    for limit in [1, 29, 30, 31, 1_000] {
        let search = docs.search().nearest_to([0.0, 0.0]).filter(scope().eq("A"));
        let found = search.max_distance(89.0).limit(limit).await?;
        assert_eq!(found.len(), limit.min(30));
    }
    Ok(())
}

async fn v9_a_filter_does_not_replace_the_tenant(world: World) -> Verdict {
    let schema = points(2, Metric::Euclidean).tenancy(Tenancy::Conjoined);
    let one = world.open(schema).await?.tenant("one")?;
    one.put(row(3, 0, "A")).await?;
    one.tenant("two")?.put(row(3, 10, "A")).await?;
    let wide = || scope().eq("A") | n().ge(0) | Filter::all();
    let found = one.search().nearest_to([0.0, 0.0]).filter(wide()).await?;
    assert_eq!(ids(&found), ["A0000", "A0001", "A0002"]);
    assert_eq!(one.passing(wide()).await?, ["A0000", "A0001", "A0002"]);
    Ok(())
}

async fn v9_a_filter_does_not_replace_the_soft_delete(world: World) -> Verdict {
    let docs = world
        .open(points(2, Metric::Euclidean).deletion(Deletion::Soft))
        .await?;
    docs.put(row(3, 0, "A")).await?;
    docs.delete("A0001").await?;
    let wide = || scope().eq("A") | n().ge(0) | Filter::all();
    let found = docs.search().nearest_to([0.0, 0.0]).filter(wide()).await?;
    assert_eq!(ids(&found), ["A0000", "A0002"]);
    assert_eq!(docs.passing(!Filter::none()).await?, ["A0000", "A0002"]);
    Ok(())
}
