//! V2 and V5: which metric, and what each of them gives.

use std::f64::consts::SQRT_2;

use ermine_core::{
    Distance, DistanceUnit, Embedding, ErrorKind, Figure, IdType, LegKind, Metric, Schema,
};
use ermine_macros::Document;
use serde::{Deserialize, Serialize};

use crate::facts::kit::{assert_near, at, distances, ids, notes, points, refused, says};
use crate::facts::{Verdict, World};

facts![
    v2_the_declared_metric_is_the_default,
    v2_a_hybrid_measures_by_the_declared_metric,
    v2_a_named_metric_is_measured_exactly,
    v2_a_named_metric_judges_what_is_valid,
    v5_each_metric_has_its_values,
    v5_l1_and_squared_distances_have_their_values,
    v5_the_metric_that_nobody_declares_is_cosine,
    v5_a_distance_converts_between_the_units_of_its_metric,
    v5_a_type_may_declare_sixteen_thousand_dimensions_and_no_more,
];

/// The five rows of the samples, whose order differs by metric.
fn rows() -> [ermine_core::DynamicRecord; 5] {
    [
        at("a", [2.0, 0.0]),
        at("b", [0.9, 0.1]),
        at("c", [0.0, 1.0]),
        at("d", [-1.0, 0.0]),
        at("e", [5.0, 5.0]),
    ]
}

async fn v2_the_declared_metric_is_the_default(world: World) -> Verdict {
    let docs = world.open(points(2, Metric::Euclidean)).await?;
    docs.put(rows()).await?;
    let found = docs.search().nearest_to([1.0, 0.0]).await?;
    assert_eq!(ids(&found), ["b", "a", "c", "d", "e"]);
    Ok(())
}

async fn v2_a_hybrid_measures_by_the_declared_metric(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put(rows()).await?;
    let found = docs.search().hybrid_with("nothing", [1.0, 0.0]).await?;
    assert_eq!(ids(&found), ["b", "a", "c", "d", "e"]);
    let named = docs
        .search()
        .hybrid_with("nothing", [1.0, 0.0])
        .measured_by(Metric::Cosine);
    let found = named.await?;
    assert_eq!(ids(&found), ["a", "b", "e", "c", "d"]);
    assert_eq!(found[0].legs[0].kind, LegKind::Vector);
    assert!(matches!(found[0].legs[0].figure, Figure::Distance(d) if d.value() == 0.0));
    Ok(())
}

async fn v2_a_named_metric_is_measured_exactly(world: World) -> Verdict {
    let docs = world.open(points(2, Metric::Euclidean)).await?;
    docs.put(rows()).await?;
    let named = docs
        .search()
        .nearest_to([1.0, 0.0])
        .measured_by(Metric::InnerProduct);
    let found = named.await?;
    assert_eq!(ids(&found), ["e", "a", "b", "c", "d"]);
    assert!(!found.outcome().is_approximate());
    Ok(())
}

async fn v2_a_named_metric_judges_what_is_valid(world: World) -> Verdict {
    let docs = world.open(points(2, Metric::Euclidean)).await?;
    docs.put([at("origin", [0.0, 0.0]), at("one", [1.0, 1.0])])
        .await?;
    let by_l2 = docs.search().nearest_to([0.0, 0.0]).await?;
    assert_eq!(ids(&by_l2), ["origin", "one"]);
    // The zero vector has no direction: cosine neither returns it nor asks with it.
    let by_cosine = docs
        .search()
        .nearest_to([1.0, 0.0])
        .measured_by(Metric::Cosine)
        .await?;
    assert_eq!(ids(&by_cosine), ["one"]);
    let zero = docs
        .search()
        .nearest_to([0.0, 0.0])
        .measured_by(Metric::Cosine)
        .await;
    refused(zero, ErrorKind::InvalidVector, &["points", "embedding"]);
    Ok(())
}

async fn v5_each_metric_has_its_values(world: World) -> Verdict {
    let docs = world.open(points(2, Metric::Cosine)).await?;
    docs.put(rows()).await?;
    let expected: [(Metric, [&str; 5], [f64; 5]); 3] = [
        (
            Metric::Cosine,
            ["a", "b", "e", "c", "d"],
            [0.0, 0.006116, 0.292893, 1.0, 2.0],
        ),
        (
            Metric::Euclidean,
            ["b", "a", "c", "d", "e"],
            [0.141421, 1.0, SQRT_2, 2.0, 6.403124],
        ),
        (
            Metric::InnerProduct,
            ["e", "a", "b", "c", "d"],
            [-5.0, -2.0, -0.9, 0.0, 1.0],
        ),
    ];
    for (metric, order, values) in expected {
        let found = docs
            .search()
            .nearest_to([1.0, 0.0])
            .measured_by(metric)
            .await?;
        assert_eq!(ids(&found), order, "{metric}");
        assert_near(&distances(&found), &values);
    }
    Ok(())
}

async fn v5_l1_and_squared_distances_have_their_values(world: World) -> Verdict {
    let docs = world.open(points(4, Metric::L1)).await?;
    docs.put([
        at("same", [1.0, 0.0, 0.0, 0.0]),
        at("opposite", [-1.0, 0.0, 0.0, 0.0]),
        at("other", [0.0, -1.0, -1.0, 0.0]),
    ])
    .await?;
    let query = [1.0, 0.0, 0.0, 0.0];
    let by = |metric| docs.search().nearest_to(query).measured_by(metric);
    let l1 = docs.search().nearest_to(query).await?;
    assert_eq!(ids(&l1), ["same", "opposite", "other"]);
    assert_near(&distances(&l1), &[0.0, 2.0, 3.0]);
    assert_near(&distances(&by(Metric::Cosine).await?), &[0.0, 1.0, 2.0]);
    assert_near(
        &distances(&by(Metric::InnerProduct).await?),
        &[-1.0, 0.0, 1.0],
    );
    let l2 = by(Metric::Euclidean).await?;
    assert_eq!(ids(&l2), ["same", "other", "opposite"]);
    assert_near(&distances(&l2), &[0.0, 1.732051, 2.0]);
    let mut squared = Vec::new();
    for hit in &l2 {
        squared.push(
            hit.distance
                .in_unit(Metric::Euclidean, DistanceUnit::SquaredEuclidean)?,
        );
    }
    assert_near(&squared, &[0.0, 3.0, 4.0]);
    Ok(())
}

async fn v5_a_distance_converts_between_the_units_of_its_metric(world: World) -> Verdict {
    let docs = world.open(points(2, Metric::Euclidean)).await?;
    docs.put(rows()).await?;
    let units = [
        (
            Metric::Euclidean,
            DistanceUnit::SquaredEuclidean,
            2.0,
            "b a c",
        ),
        (Metric::Cosine, DistanceUnit::CosineSimilarity, 0.5, "a b e"),
        (Metric::InnerProduct, DistanceUnit::DotProduct, 0.9, "e a b"),
        (Metric::L1, DistanceUnit::Distance, 2.0, "b a c d"),
    ];
    for (metric, unit, value, expected) in units {
        // A similarity of f32 elements is not quite the decimal written here.
        let most = Distance::from_unit(value, metric, unit)?.value() + 1e-6;
        let near = docs
            .search()
            .nearest_to([1.0, 0.0])
            .measured_by(metric)
            .max_distance(most);
        assert_eq!(
            ids(&near.await?).join(" "),
            expected,
            "{metric} in {unit:?}"
        );
    }
    let wrong = Distance::from_unit(0.5, Metric::L1, DistanceUnit::CosineSimilarity);
    refused(wrong, ErrorKind::InvalidOption, &["l1"]);
    Ok(())
}

async fn v5_a_type_may_declare_sixteen_thousand_dimensions_and_no_more(world: World) -> Verdict {
    let too_many = points(16_001, Metric::Cosine).build();
    refused(
        too_many,
        ErrorKind::Declaration,
        &["embedding", "16001", "16000"],
    );
    let none = Schema::builder("points", "id", IdType::Text).vector("embedding", 0, Metric::L1);
    refused(none.build(), ErrorKind::Declaration, &["embedding"]);

    let docs = world.open(points(16_000, Metric::Cosine)).await?;
    let mut last = vec![0.0_f32; 16_000];
    last[15_999] = 1.0;
    let mut first = vec![0.0_f32; 16_000];
    first[0] = 1.0;
    docs.put([
        says("first", "").with_vector("embedding", first),
        says("last", "").with_vector("embedding", last.clone()),
    ])
    .await?;
    let found = docs.search().nearest_to(last).await?;
    assert_eq!(ids(&found), ["last", "first"]);
    assert_near(&distances(&found), &[0.0, 1.0]);
    Ok(())
}

/// A type that names no metric.
#[derive(Document, Serialize, Deserialize)]
#[document(crate = "ermine_core", name = "plain")]
struct Plain {
    #[document(id)]
    id: String,
    #[document(vector(dimensions = 2))]
    embedding: Embedding,
}

async fn v5_the_metric_that_nobody_declares_is_cosine(world: World) -> Verdict {
    assert_eq!(Metric::default(), Metric::Cosine);
    let store = world.store(|builder| builder.document::<Plain>()).await?;
    let mut session = store.session_without_tenant();
    for (id, place) in [("near in angle", [9.0, 0.0]), ("near in place", [1.0, 0.1])] {
        let (id, embedding) = (id.to_owned(), Embedding::from(place));
        session.store(&Plain { id, embedding });
    }
    session.commit().await?;
    let found = store
        .reader_without_tenant()
        .search::<Plain>()
        .nearest_to([1.0, 0.0])
        .await?;
    assert_eq!(found[0].document.id, "near in angle");
    assert_eq!(found[0].distance.value(), 0.0);
    Ok(())
}
