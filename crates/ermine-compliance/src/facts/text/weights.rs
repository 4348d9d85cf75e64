//! T8: column weights.

use ermine_core::{ErrorKind, IdType, Result, Schema};

use crate::facts::kit::{assert_near, doc, ids, notes, refused, scores};
use crate::facts::world::Docs;
use crate::facts::{Verdict, World};

facts![
    t8_declared_weights_are_the_default,
    t8_weights_replace_the_declared_ones_in_their_order,
    t8_weights_follow_the_order_of_the_fields_named,
    t8_weight_0_leaves_a_field_out,
    t8_weights_that_do_not_fit_are_refused,
    t8_weights_rank_the_text_leg_of_a_hybrid,
];

async fn shelf(world: &World, title: f64) -> Result<Docs> {
    let schema = Schema::builder("books", "id", IdType::Text)
        .text("title", title)
        .text("body", 1.0)
        .vector("embedding", 1, ermine_core::Metric::L1);
    let docs = world.open(schema).await?;
    docs.put([
        doc("body").with("title", "sea").with("body", "pool pool"),
        doc("title").with("title", "pool").with("body", "sea sea"),
    ])
    .await?;
    Ok(docs)
}

async fn t8_declared_weights_are_the_default(world: World) -> Verdict {
    let docs = shelf(&world, 3.0).await?;
    assert_eq!(
        ids(&docs.search().matching("pool").await?),
        ["title", "body"]
    );
    Ok(())
}

async fn t8_weights_replace_the_declared_ones_in_their_order(world: World) -> Verdict {
    let docs = shelf(&world, 3.0).await?;
    let found = docs
        .search()
        .matching("pool")
        .column_weights([1.0, 1.0])
        .await?;
    assert_eq!(ids(&found), ["body", "title"]);
    let found = docs
        .search()
        .matching("pool")
        .column_weights([1.0, 5.0])
        .await?;
    assert_eq!(ids(&found), ["body", "title"]);
    let found = docs
        .search()
        .matching("pool")
        .column_weights([5.0, 1.0])
        .await?;
    assert_eq!(ids(&found), ["title", "body"]);
    Ok(())
}

async fn t8_weights_follow_the_order_of_the_fields_named(world: World) -> Verdict {
    let docs = shelf(&world, 1.0).await?;
    let named = docs
        .search()
        .matching("pool")
        .text_fields_named(["body", "title"]);
    let found = named.column_weights([3.0, 1.0]).await?;
    let declared = docs
        .search()
        .matching("pool")
        .column_weights([1.0, 3.0])
        .await?;
    assert_eq!(ids(&found), ["body", "title"]);
    assert_near(&scores(&found), &scores(&declared));
    let named = docs
        .search()
        .matching("pool")
        .text_fields_named(["body", "title"]);
    assert_eq!(
        ids(&named.column_weights([1.0, 3.0]).await?),
        ["title", "body"]
    );
    let one = docs
        .search()
        .matching("pool")
        .text_fields_named(["title"])
        .column_weights([2.0]);
    assert_eq!(ids(&one.await?), ["title"]);
    Ok(())
}

async fn t8_weight_0_leaves_a_field_out(world: World) -> Verdict {
    let docs = shelf(&world, 1.0).await?;
    let found = docs
        .search()
        .matching("pool")
        .column_weights([0.0, 1.0])
        .await?;
    assert_eq!(ids(&found), ["body"]);
    let found = docs
        .search()
        .matching("pool")
        .column_weights([1.0, 0.0])
        .await?;
    assert_eq!(ids(&found), ["title"]);
    let found = docs
        .search()
        .matching("pool")
        .column_weights([0.0, 0.0])
        .await?;
    assert!(found.is_empty());
    Ok(())
}

async fn t8_weights_that_do_not_fit_are_refused(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    let wrong: [&[f64]; 6] = [
        &[],
        &[1.0],
        &[1.0, 1.0, 1.0],
        &[1.0, -1.0],
        &[f64::NAN, 1.0],
        &[1.0, f64::INFINITY],
    ];
    for weights in wrong {
        let text = docs
            .search()
            .matching("pool")
            .column_weights(weights.iter().copied());
        refused(text.await, ErrorKind::InvalidOption, &["weight"]);
        let hybrid = docs.search().hybrid_with("pool", [1.0, 0.0]);
        let hybrid = hybrid.column_weights(weights.iter().copied()).await;
        refused(hybrid, ErrorKind::InvalidOption, &["weight"]);
    }
    let named = docs.search().matching("pool").text_fields_named(["title"]);
    refused(
        named.column_weights([1.0, 1.0]).await,
        ErrorKind::InvalidOption,
        &["weight"],
    );
    Ok(())
}

async fn t8_weights_rank_the_text_leg_of_a_hybrid(world: World) -> Verdict {
    let docs = shelf(&world, 1.0).await?;
    let hybrid = |weights: [f64; 2]| {
        docs.search()
            .hybrid_with("pool", [0.0])
            .column_weights(weights)
    };
    assert_eq!(ids(&hybrid([1.0, 1.0]).await?), ["body", "title"]);
    assert_eq!(ids(&hybrid([5.0, 1.0]).await?), ["title", "body"]);
    assert_eq!(ids(&hybrid([5.0, 0.0]).await?), ["title"]);
    Ok(())
}
