//! V3, V4 and V14: what a search and a write must fit.

use ermine_core::{ErrorKind, IdType, Metric, Schema};

use crate::facts::kit::{at, doc, ids, notes, passages, points, refused};
use crate::facts::{Verdict, World};

facts![
    v3_an_undeclared_vector_field_is_refused_by_name,
    v3_a_type_without_vectors_is_refused,
    v4_a_query_of_the_wrong_length_is_refused,
    v4_a_query_of_the_wrong_length_is_refused_with_nothing_to_return,
    v4_a_stored_vector_of_the_wrong_length_is_refused,
    v14_one_vector_field_need_not_be_named,
    v14_several_vector_fields_must_be_named,
];

async fn v3_an_undeclared_vector_field_is_refused_by_name(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    for field in ["embeddings", "title", "scope"] {
        let found = docs
            .search()
            .nearest_to([1.0, 0.0])
            .vector_field_named(field)
            .await;
        refused(
            found,
            ErrorKind::UnknownField,
            &["notes", field, "embedding"],
        );
        let found = docs
            .search()
            .hybrid_with("pool", [1.0, 0.0])
            .vector_field_named(field)
            .await;
        refused(
            found,
            ErrorKind::UnknownField,
            &["notes", field, "embedding"],
        );
    }
    Ok(())
}

async fn v3_a_type_without_vectors_is_refused(world: World) -> Verdict {
    let docs = world.open(passages()).await?;
    let found = docs.search().nearest_to([1.0, 0.0]).await;
    refused(found, ErrorKind::NotIndexed, &["passages"]);
    Ok(())
}

async fn v4_a_query_of_the_wrong_length_is_refused(world: World) -> Verdict {
    let docs = world.open(points(3, Metric::Cosine)).await?;
    docs.put([at("a", [1.0, 0.0, 0.0])]).await?;
    let short = docs.search().nearest_to([1.0, 0.0]).await;
    refused(
        short,
        ErrorKind::WrongDimensions,
        &["embedding", "expected 3", "got 2"],
    );
    let long = docs.search().nearest_to([1.0, 0.0, 0.0, 0.0]).await;
    refused(
        long,
        ErrorKind::WrongDimensions,
        &["embedding", "expected 3", "got 4"],
    );
    let empty = docs.search().nearest_to(Vec::new()).await;
    refused(
        empty,
        ErrorKind::WrongDimensions,
        &["embedding", "expected 3", "got 0"],
    );
    Ok(())
}

async fn v4_a_query_of_the_wrong_length_is_refused_with_nothing_to_return(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    let empty = docs.search().nearest_to([1.0]).await;
    refused(empty, ErrorKind::WrongDimensions, &["expected 2", "got 1"]);
    let hybrid = docs.search().hybrid_with("pool", [1.0]).await;
    refused(hybrid, ErrorKind::WrongDimensions, &["expected 2", "got 1"]);
    docs.put([at("a", [1.0, 0.0])]).await?;
    let unlimited = docs.search().nearest_to([1.0]).limit(0).await;
    refused(
        unlimited,
        ErrorKind::WrongDimensions,
        &["expected 2", "got 1"],
    );
    let hybrid = docs.search().hybrid_with("pool", [1.0]).limit(0).await;
    refused(hybrid, ErrorKind::WrongDimensions, &["expected 2", "got 1"]);
    Ok(())
}

async fn v4_a_stored_vector_of_the_wrong_length_is_refused(world: World) -> Verdict {
    let docs = world.open(points(3, Metric::Cosine)).await?;
    let wrong = docs
        .put([at("good", [1.0, 0.0, 0.0]), at("bad", [1.0, 0.0])])
        .await;
    refused(
        wrong,
        ErrorKind::WrongDimensions,
        &["bad", "embedding", "expected 3", "got 2"],
    );
    assert!(
        docs.load("good").await?.is_none(),
        "nothing of the unit is stored"
    );
    Ok(())
}

async fn v14_one_vector_field_need_not_be_named(world: World) -> Verdict {
    let docs = world.open(points(2, Metric::L1)).await?;
    docs.put([at("a", [1.0, 0.0]), at("b", [0.0, 0.0])]).await?;
    let unnamed = docs.search().nearest_to([0.0, 0.0]).await?;
    let named = docs
        .search()
        .nearest_to([0.0, 0.0])
        .vector_field_named("embedding")
        .await?;
    assert_eq!(ids(&unnamed), ["b", "a"]);
    assert_eq!(ids(&named), ids(&unnamed));
    Ok(())
}

async fn v14_several_vector_fields_must_be_named(world: World) -> Verdict {
    let docs = world
        .open(
            Schema::builder("images", "id", IdType::Text)
                .text("caption", 1.0)
                .vector("shape", 2, Metric::L1)
                .vector("colour", 3, Metric::Cosine),
        )
        .await?;
    docs.put([
        doc("a")
            .with_vector("shape", [0.0, 0.0])
            .with_vector("colour", [0.0, 1.0, 0.0]),
        doc("b")
            .with_vector("shape", [3.0, 0.0])
            .with_vector("colour", [1.0, 0.0, 0.0]),
    ])
    .await?;
    let unnamed = docs.search().nearest_to([1.0, 0.0, 0.0]).await;
    refused(
        unnamed,
        ErrorKind::InvalidOption,
        &["images", "shape", "colour"],
    );
    let unnamed = docs.search().hybrid_with("pool", [1.0, 0.0, 0.0]).await;
    refused(
        unnamed,
        ErrorKind::InvalidOption,
        &["images", "shape", "colour"],
    );
    let colour = docs
        .search()
        .nearest_to([1.0, 0.0, 0.0])
        .vector_field_named("colour")
        .await?;
    assert_eq!(ids(&colour), ["b", "a"]);
    let shape = docs
        .search()
        .nearest_to([0.0, 1.0])
        .vector_field_named("shape")
        .await?;
    assert_eq!(ids(&shape), ["a", "b"]);
    assert_eq!(
        shape[1].distance.value(),
        4.0,
        "each field has its own metric"
    );
    Ok(())
}
