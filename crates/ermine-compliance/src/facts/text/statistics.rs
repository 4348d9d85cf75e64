//! T12: whose documents the statistics are of.

use ermine_core::{Deletion, DynamicRecord, Result, Tenancy};

use crate::facts::kit::{ids, n, passages, says, scores};
use crate::facts::world::Docs;
use crate::facts::{Verdict, World};

facts![
    t12_another_tenants_documents_do_not_move_a_score,
    t12_across_tenants_each_match_has_its_own_tenants_score,
    t12_soft_deleted_documents_leave_the_statistics,
    t12_deleted_documents_leave_the_statistics,
    t12_a_replaced_document_counts_once,
    t12_filters_do_not_move_a_score,
    t12_looking_at_deleted_documents_does_not_move_a_score,
];

fn three() -> [DynamicRecord; 3] {
    [
        says("1", "pool pool sea"),
        says("2", "pool boat"),
        says("3", "boat boat sea pool"),
    ]
}

fn bits(scores: &[f64]) -> Vec<u64> {
    scores.iter().map(|score| score.to_bits()).collect()
}

async fn two_tenants(world: &World) -> Result<(Docs, Docs)> {
    let schema = passages()
        .tenancy(Tenancy::Conjoined)
        .deletion(Deletion::Soft);
    let a = world.open(schema).await?.tenant("a")?;
    Ok((a.clone(), a.tenant("b")?))
}

async fn t12_another_tenants_documents_do_not_move_a_score(world: World) -> Verdict {
    let (a, b) = two_tenants(&world).await?;
    a.put(three()).await?;
    let before = a.search().matching("pool boat").await?;
    assert_eq!(before.len(), 3);
    let words = [
        "pool",
        "pool boat",
        "boat boat boat",
        "sea and much more of it",
    ];
    b.put((0..50).map(|i| says(&i.to_string(), words[i % 4])))
        .await?;
    let after = a.search().matching("pool boat").await?;
    assert_eq!(ids(&after), ids(&before));
    assert_eq!(bits(&scores(&after)), bits(&scores(&before)));
    Ok(())
}

async fn t12_across_tenants_each_match_has_its_own_tenants_score(world: World) -> Verdict {
    let (a, b) = two_tenants(&world).await?;
    a.put(three()).await?;
    b.put(
        three()
            .into_iter()
            .chain((4..20).map(|i| says(&i.to_string(), "sea"))),
    )
    .await?;
    let across = a.store.across_tenants();
    let found = across.search_in(&a.kind).matching("pool boat").await?;
    assert_eq!(found.len(), 6);
    for (docs, name) in [(&a, "a"), (&b, "b")] {
        let own = docs.search().matching("pool boat").await?;
        let of_all = found.iter().filter(|hit| {
            hit.tenant
                .as_ref()
                .is_some_and(|tenant| tenant.as_str() == name)
        });
        let of_all: Vec<_> = of_all
            .map(|hit| (hit.document.id.clone(), hit.score))
            .collect();
        let own: Vec<_> = own
            .iter()
            .map(|hit| (hit.document.id.clone(), hit.score))
            .collect();
        assert_eq!(of_all, own, "tenant {name}");
    }
    assert!(
        found
            .iter()
            .map(|hit| hit.score)
            .is_sorted_by(|x, y| x >= y)
    );
    Ok(())
}

async fn t12_soft_deleted_documents_leave_the_statistics(world: World) -> Verdict {
    let (a, b) = two_tenants(&world).await?;
    a.put(three()).await?;
    b.put(
        three()
            .into_iter()
            .chain([says("4", "pool boat boat boat boat")]),
    )
    .await?;
    b.delete("4").await?;
    let (fewer, deleted) = (
        a.search().matching("pool").await?,
        b.search().matching("pool").await?,
    );
    assert_eq!(bits(&scores(&deleted)), bits(&scores(&fewer)));
    b.put([says("4", "pool boat boat boat boat")]).await?;
    let back = b.search().matching("pool").await?;
    assert_eq!(back.len(), 4);
    assert_ne!(bits(&scores(&back)[..1]), bits(&scores(&fewer)[..1]));
    Ok(())
}

async fn t12_deleted_documents_leave_the_statistics(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put(three()).await?;
    let before = docs.search().matching("pool boat").await?;
    docs.put([says("4", "pool boat boat boat boat")]).await?;
    docs.delete("4").await?;
    let after = docs.search().matching("pool boat").await?;
    assert_eq!(bits(&scores(&after)), bits(&scores(&before)));
    Ok(())
}

async fn t12_a_replaced_document_counts_once(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put(three()).await?;
    let before = docs.search().matching("pool boat").await?;
    docs.put([says("2", "entirely other words, and many of them")])
        .await?;
    docs.put([says("2", "pool boat")]).await?;
    docs.put(three()).await?;
    let after = docs.search().matching("pool boat").await?;
    assert_eq!(ids(&after), ids(&before));
    assert_eq!(bits(&scores(&after)), bits(&scores(&before)));
    Ok(())
}

async fn t12_filters_do_not_move_a_score(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put(
        three()
            .into_iter()
            .zip(1..)
            .map(|(document, i)| document.with("n", i)),
    )
    .await?;
    let all = docs.search().matching("pool").await?;
    let some = docs.search().matching("pool").filter(n().le(2)).await?;
    assert_eq!(some.len(), 2);
    for hit in &some {
        let same = all
            .iter()
            .find(|other| other.document.id == hit.document.id);
        assert_eq!(same.map(|other| other.score), Some(hit.score));
    }
    Ok(())
}

async fn t12_looking_at_deleted_documents_does_not_move_a_score(world: World) -> Verdict {
    let (a, _) = two_tenants(&world).await?;
    a.put(three()).await?;
    a.delete("1").await?;
    let live = a.search().matching("pool").await?;
    let both = a.search().matching("pool").including_deleted().await?;
    let dead = a.search().matching("pool").deleted().await?;
    assert_eq!(
        (live.len(), both.len(), ids(&dead)),
        (2, 3, vec!["1".to_owned()])
    );
    for hit in live.iter().chain(dead.iter()) {
        let same = both
            .iter()
            .find(|other| other.document.id == hit.document.id);
        assert_eq!(same.map(|other| other.score), Some(hit.score));
    }
    Ok(())
}
