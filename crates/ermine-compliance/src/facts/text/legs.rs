//! T5 and T6: what happens inside a leg, and to one that finds nothing.

use ermine_core::{Deletion, DynamicRecord, EmptyLeg, ErrorKind, LegKind, Metric, Result, Tenancy};

use crate::facts::kit::{at, doc, ids, n, notes, passages, points, refused, says, scope};
use crate::facts::provider::Scribe;
use crate::facts::world::Docs;
use crate::facts::{Verdict, World};

facts![
    t5_a_filter_applies_inside_each_leg_before_its_depth,
    t5_tenants_apply_inside_each_leg_before_its_depth,
    t5_soft_deletes_apply_inside_each_leg_before_its_depth,
    t6_a_hybrid_needs_a_text_field_and_a_vector_field,
    t6_an_empty_text_leg_is_reported_and_the_other_stands,
    t6_an_empty_vector_leg_is_reported_and_the_other_stands,
    t6_an_empty_collection_leaves_both_legs_empty,
    t6_a_failed_leg_fails_the_call,
];

/// The 100 best in both legs are in scope B; 30 worse ones are in scope A.
fn crowded() -> impl Iterator<Item = DynamicRecord> {
    (0..130_i16).map(|i| {
        let (place, body) = if i < 100 {
            ("B", "pool")
        } else {
            ("A", "pool sea sea sea")
        };
        says(&format!("{place}{i:03}"), body)
            .with("scope", place)
            .with("n", i)
            .with_vector("embedding", [f32::from(i), 0.0])
    })
}

fn first_of_a() -> Vec<String> {
    (100..110).map(|i| format!("A{i:03}")).collect()
}

async fn t5_a_filter_applies_inside_each_leg_before_its_depth(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put(crowded()).await?;
    let search = docs
        .search()
        .hybrid_with("pool", [0.0, 0.0])
        .filter(scope().eq("A"));
    let found = search.limit(10).candidate_depth(10).await?;
    assert_eq!(ids(&found), first_of_a());
    assert!(found.iter().all(|hit| hit.legs.len() == 2));
    let text = docs
        .search()
        .filter(scope().eq("A"))
        .matching("pool")
        .await?;
    assert_eq!(ids(&text), first_of_a());
    Ok(())
}

async fn t5_tenants_apply_inside_each_leg_before_its_depth(world: World) -> Verdict {
    let near = world
        .open(notes().tenancy(Tenancy::Conjoined))
        .await?
        .tenant("near")?;
    let far = near.tenant("far")?;
    near.put(crowded().take(100)).await?;
    far.put(crowded().skip(100)).await?;
    let found = far
        .search()
        .hybrid_with("pool", [0.0, 0.0])
        .limit(10)
        .candidate_depth(10)
        .await?;
    assert_eq!(ids(&found), first_of_a());
    assert!(found.iter().all(|hit| hit.legs.len() == 2));
    Ok(())
}

async fn t5_soft_deletes_apply_inside_each_leg_before_its_depth(world: World) -> Verdict {
    let docs = world.open(notes().deletion(Deletion::Soft)).await?;
    docs.put(crowded()).await?;
    let mut session = docs.session();
    session.delete_where_in(&docs.kind, n().lt(100));
    session.commit().await?;
    let found = docs
        .search()
        .hybrid_with("pool", [0.0, 0.0])
        .limit(10)
        .candidate_depth(10)
        .await?;
    assert_eq!(ids(&found), first_of_a());
    assert!(found.iter().all(|hit| hit.legs.len() == 2));
    Ok(())
}

async fn t6_a_hybrid_needs_a_text_field_and_a_vector_field(world: World) -> Verdict {
    let docs = world.open(points(2, Metric::Cosine)).await?;
    let no_text = docs.search().hybrid_with("pool", [1.0, 0.0]).await;
    refused(no_text, ErrorKind::NotIndexed, &["points", "text"]);
    let no_text = docs.search().matching("pool").await;
    refused(no_text, ErrorKind::NotIndexed, &["points", "text"]);
    let docs = world.open(passages()).await?;
    let no_vector = docs.search().hybrid_with("pool", [1.0, 0.0]).await;
    refused(no_vector, ErrorKind::NotIndexed, &["passages", "vector"]);
    Ok(())
}

async fn t6_an_empty_text_leg_is_reported_and_the_other_stands(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put([at("b", [1.0, 0.0]), at("a", [2.0, 0.0]), says("c", "pool")])
        .await?;
    let reasons = [
        ("", EmptyLeg::NoTerms),
        (" \u{1F680} … \"*\"", EmptyLeg::NoTerms),
        ("nothing of the kind", EmptyLeg::NoMatch),
    ];
    for (text, why) in reasons {
        let found = docs.search().hybrid_with(text, [0.0, 0.0]).await?;
        assert_eq!(ids(&found), ["b", "a"]);
        let legs = &found.outcome().legs;
        assert_eq!(legs[0].kind, LegKind::Text);
        assert_eq!(
            (legs[0].empty, legs[1].empty),
            (Some(why), None),
            "{text:?}"
        );
    }
    Ok(())
}

async fn scribbled(world: &World) -> Result<(Docs, Scribe)> {
    let scribe = Scribe::new();
    let schema = notes().build()?;
    let store = world
        .store(|builder| builder.schema(schema).embeddings(scribe.clone()))
        .await?;
    Ok((Docs::of(&store, "notes", None)?, scribe))
}

async fn t6_an_empty_vector_leg_is_reported_and_the_other_stands(world: World) -> Verdict {
    let (docs, _) = scribbled(&world).await?;
    docs.put([says("b", "pool pool"), says("a", "pool sea"), doc("c")])
        .await?;
    let no_rows = docs.search().hybrid("pool").await?;
    assert_eq!(ids(&no_rows), ["b", "a"]);
    assert_eq!(no_rows.outcome().legs[1].empty, Some(EmptyLeg::NoMatch));

    docs.put([at("d", [1.0, 1.0])]).await?;
    let unknown = docs.search().hybrid("???").await?;
    assert!(unknown.is_empty(), "neither leg has anything to look for");
    let legs = &unknown.outcome().legs;
    assert_eq!(legs[0].empty, Some(EmptyLeg::NoTerms));
    assert_eq!(legs[1].empty, Some(EmptyLeg::NotRepresentable));

    let left_out = docs
        .search()
        .hybrid_with("pool", [1.0, 1.0])
        .leg_weights(1.0, 0.0)
        .await?;
    assert_eq!(ids(&left_out), ["b", "a"]);
    assert_eq!(left_out.outcome().legs[1].empty, Some(EmptyLeg::LeftOut));
    Ok(())
}

async fn t6_an_empty_collection_leaves_both_legs_empty(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    let found = docs.search().hybrid_with("pool", [1.0, 1.0]).await?;
    assert!(found.is_empty());
    let why: Vec<_> = found.outcome().legs.iter().map(|leg| leg.empty).collect();
    assert_eq!(why, [Some(EmptyLeg::NoMatch); 2]);
    Ok(())
}

async fn t6_a_failed_leg_fails_the_call(world: World) -> Verdict {
    let (docs, scribe) = scribbled(&world).await?;
    docs.put([says("a", "broken")]).await?;
    let found = docs.search().hybrid("broken").await;
    refused(found, ErrorKind::Provider, &["pen"]);
    assert_eq!(scribe.asked(), ["broken"]);
    Ok(())
}
