//! T1: options and their defaults.

use ermine_core::{ErrorKind, Metric};
use ermine_store::{HybridOptions, TextOptions, TextStyle, VectorOptions};

use crate::facts::kit::{assert_near, doc, ids, notes, passages, refused, says};
use crate::facts::{Verdict, World};

facts![
    t1_default_options_are_no_options,
    t1_the_default_k_is_60,
    t1_the_default_style_is_plain,
    t1_legs_weigh_1_unless_told,
    t1_another_language_is_refused,
    t1_text_fields_are_all_unless_named,
    t1_an_unknown_text_field_is_refused_by_name,
    t1_a_text_field_named_twice_is_refused,
];

async fn t1_default_options_are_no_options(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put((0..70_i16).map(|i| {
        let body = if i % 2 == 0 {
            "pool of words"
        } else {
            "words or pool -pool"
        };
        says(&format!("{i:02}"), body).with_vector("embedding", [f32::from(i % 7), 1.0])
    }))
    .await?;
    let query = "pool or -words";
    let vector = |with: bool| {
        let search = docs.search().nearest_to([3.0, 1.0]);
        if with {
            search.options(VectorOptions::default())
        } else {
            search
        }
    };
    assert_eq!(ids(&vector(true).await?), ids(&vector(false).await?));
    let text = |with: bool| {
        let search = docs.search().matching(query);
        if with {
            search.options(TextOptions::default())
        } else {
            search
        }
    };
    assert_eq!(ids(&text(true).await?), ids(&text(false).await?));
    let hybrid = |with: bool| {
        let search = docs.search().hybrid_with(query, [3.0, 1.0]);
        if with {
            search.options(HybridOptions::default())
        } else {
            search
        }
    };
    let (with, without) = (hybrid(true).await?, hybrid(false).await?);
    assert_eq!(ids(&with), ids(&without));
    assert_eq!(with[0].score, without[0].score);
    assert_eq!(with[0].legs, without[0].legs);

    let spelt_out = docs
        .search()
        .hybrid_with(query, [3.0, 1.0])
        .k(60)
        .candidate_depth(50)
        .measured_by(Metric::Euclidean)
        .text_style(TextStyle::Plain)
        .leg_weights(1.0, 1.0)
        .text_fields_named(["title", "body"])
        .column_weights([1.0, 1.0])
        .language("none")
        .limit(10)
        .await?;
    assert_eq!(ids(&spelt_out), ids(&without));
    assert_eq!(spelt_out[0].score, without[0].score);
    Ok(())
}

async fn t1_the_default_k_is_60(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put([says("a", "pool").with_vector("embedding", [1.0, 0.0])])
        .await?;
    let found = docs.search().hybrid_with("pool", [1.0, 0.0]).await?;
    assert_near(&[found[0].score.value()], &[2.0 / 61.0]);
    let found = docs.search().hybrid_with("pool", [1.0, 0.0]).k(1).await?;
    assert_near(&[found[0].score.value()], &[1.0]);
    Ok(())
}

async fn t1_the_default_style_is_plain(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    docs.put([says("a", "pool"), says("b", "sea")]).await?;
    assert_eq!(ids(&docs.search().matching("pool -sea").await?), ["a", "b"]);
    Ok(())
}

async fn t1_legs_weigh_1_unless_told(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put([says("a", "pool").with_vector("embedding", [1.0, 0.0])])
        .await?;
    let found = docs.search().hybrid_with("pool", [1.0, 0.0]).await?;
    assert!(found[0].legs.iter().all(|leg| leg.weight == 1.0));
    let found = docs
        .search()
        .hybrid_with("pool", [1.0, 0.0])
        .leg_weights(3.0, 0.5)
        .await?;
    assert_near(&[found[0].score.value()], &[3.5 / 61.0]);
    Ok(())
}

async fn t1_another_language_is_refused(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    let text = docs.search().matching("pool").language("english").await;
    refused(text, ErrorKind::InvalidOption, &["english", "none"]);
    let hybrid = docs
        .search()
        .hybrid_with("pool", [1.0, 0.0])
        .language("english")
        .await;
    refused(hybrid, ErrorKind::InvalidOption, &["english", "none"]);
    assert!(
        docs.search()
            .matching("pool")
            .language("none")
            .await?
            .is_empty()
    );
    Ok(())
}

async fn t1_text_fields_are_all_unless_named(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put([doc("title").with("title", "pool"), says("body", "pool")])
        .await?;
    let fields = |names: &'static [&'static str]| {
        let search = docs.search().matching("pool");
        if names.is_empty() {
            search
        } else {
            search.text_fields_named(names.iter().copied())
        }
    };
    assert_eq!(ids(&fields(&[]).await?), ["body", "title"]);
    assert_eq!(ids(&fields(&["title"]).await?), ["title"]);
    assert_eq!(ids(&fields(&["body"]).await?), ["body"]);
    assert_eq!(ids(&fields(&["body", "title"]).await?), ["body", "title"]);
    let hybrid = docs
        .search()
        .hybrid_with("pool", [1.0, 0.0])
        .text_fields_named(["title"]);
    assert_eq!(ids(&hybrid.await?), ["title"]);
    Ok(())
}

async fn t1_an_unknown_text_field_is_refused_by_name(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    for field in ["titel", "scope", "embedding"] {
        let text = docs
            .search()
            .matching("pool")
            .text_fields_named([field])
            .await;
        refused(
            text,
            ErrorKind::UnknownField,
            &["notes", field, "title", "body"],
        );
        let hybrid = docs
            .search()
            .hybrid_with("pool", [1.0, 0.0])
            .text_fields_named([field]);
        refused(
            hybrid.await,
            ErrorKind::UnknownField,
            &["notes", field, "title", "body"],
        );
    }
    let none = docs
        .search()
        .matching("pool")
        .text_fields_named(Vec::<String>::new())
        .await;
    refused(none, ErrorKind::InvalidOption, &["text fields"]);
    Ok(())
}

async fn t1_a_text_field_named_twice_is_refused(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    let twice = ["body", "title", "body"];
    let text = docs
        .search()
        .matching("pool")
        .text_fields_named(twice)
        .await;
    refused(text, ErrorKind::InvalidOption, &["body"]);
    let hybrid = docs
        .search()
        .hybrid_with("pool", [1.0, 0.0])
        .text_fields_named(twice);
    refused(hybrid.await, ErrorKind::InvalidOption, &["body"]);
    Ok(())
}
