//! D5: reading across tenants.

use ermine_core::{Direction, Tenancy};

use crate::facts::kit::{n, notes, says};
use crate::facts::world::Docs;
use crate::facts::{Verdict, World};

facts![
    d5_across_tenants_every_match_carries_its_tenant,
    d5_across_tenants_orders_end_in_tenant_then_id,
    d5_across_tenants_filters_and_soft_deletes_apply,
];

/// Tenants a and b with two equal documents each, and B with one.
async fn three(world: &World) -> ermine_core::Result<Docs> {
    let schema = notes()
        .tenancy(Tenancy::Conjoined)
        .deletion(ermine_core::Deletion::Soft);
    let docs = world.open(schema).await?;
    for (tenant, count) in [("b", 2), ("a", 2), ("B", 1)] {
        let documents = (0..count).rev().map(|i| {
            says(&i.to_string(), "pool")
                .with("n", i)
                .with_vector("embedding", [1.0, 0.0])
        });
        docs.tenant(tenant)?.put(documents).await?;
    }
    Ok(docs)
}

/// Each tenant and id, as `tenant/id`.
macro_rules! keys {
    ($hits:expr) => {
        $hits
            .iter()
            .map(|hit| {
                let tenant = hit.tenant.as_ref().map_or("", |tenant| tenant.as_str());
                format!("{tenant}/{}", hit.document.id)
            })
            .collect::<Vec<_>>()
    };
}

async fn d5_across_tenants_every_match_carries_its_tenant(world: World) -> Verdict {
    let docs = three(&world).await?;
    let across = docs.store.across_tenants();
    let found = across.search_in(&docs.kind).nearest_to([1.0, 0.0]).await?;
    assert_eq!(found.len(), 5);
    for hit in &found {
        let tenant = hit.tenant.as_ref().expect("it has a tenant");
        let own = docs
            .tenant(tenant.as_str())?
            .load(hit.document.id.clone())
            .await?;
        assert!(own.is_some());
    }
    assert_eq!(across.query_in(&docs.kind).count().await?, 5);
    Ok(())
}

async fn d5_across_tenants_orders_end_in_tenant_then_id(world: World) -> Verdict {
    let docs = three(&world).await?;
    let across = docs.store.across_tenants();
    let order = ["B/0", "a/0", "a/1", "b/0", "b/1"];
    let search = || across.search_in(&docs.kind);
    assert_eq!(keys!(search().nearest_to([1.0, 0.0]).await?), order);
    let page = search().nearest_to([1.0, 0.0]).offset(1).limit(3).await?;
    assert_eq!(keys!(page), order[1..4]);
    assert_eq!(
        keys!(
            search()
                .hybrid_with("pool", [1.0, 0.0])
                .leg_weights(0.0, 1.0)
                .await?
        ),
        order
    );
    assert_eq!(keys!(across.query_in(&docs.kind).await?), order);
    let by_n = across
        .query_in(&docs.kind)
        .order_by(n(), Direction::Descending)
        .await?;
    assert_eq!(keys!(by_n), ["a/1", "b/1", "B/0", "a/0", "b/0"]);
    // B's one document is all there is of its words, so its score is another.
    let text = search().matching("pool").await?;
    assert_eq!(keys!(text), ["B/0", "a/0", "a/1", "b/0", "b/1"]);
    Ok(())
}

async fn d5_across_tenants_filters_and_soft_deletes_apply(world: World) -> Verdict {
    let docs = three(&world).await?;
    docs.tenant("a")?.delete("1").await?;
    let across = docs.store.across_tenants();
    let search = || across.search_in(&docs.kind).filter(n().eq(1));
    assert_eq!(keys!(search().nearest_to([1.0, 0.0]).await?), ["b/1"]);
    assert_eq!(keys!(search().matching("pool").await?), ["b/1"]);
    assert_eq!(
        keys!(search().hybrid_with("pool", [1.0, 0.0]).await?),
        ["b/1"]
    );
    let hidden = across.query_in(&docs.kind).deleted().await?;
    assert_eq!(keys!(hidden), ["a/1"]);
    Ok(())
}
