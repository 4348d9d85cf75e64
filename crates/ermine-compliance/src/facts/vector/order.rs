//! V8: the order of a vector search is total, and its distances are those of one function.

use ermine_core::{DynamicRecord, Id, IdType, Metric, Schema, new_id};

use crate::facts::kit::{at, distances, ids, points};
use crate::facts::{Verdict, World};

facts![
    v8_equal_distances_are_in_the_order_of_ids,
    v8_text_ids_order_by_code_point,
    v8_integer_ids_order_as_numbers,
    v8_uuids_order_by_their_bytes,
    v8_equal_vectors_are_both_returned,
    v8_a_smaller_limit_is_a_prefix_of_a_larger_one,
    v8_distances_are_those_of_the_one_function,
    v8_near_distances_are_told_apart,
    v8_a_cosine_distance_lies_between_0_and_2,
];

/// Nine multiples of one vector, the first ids last: their directions are equal.
fn collinear() -> Vec<DynamicRecord> {
    let row = |i: u8| {
        let i = f32::from(i);
        at(&format!("{i}"), [i, 3.0 * i, 7.0 * i])
    };
    (1..=9).rev().map(row).collect()
}

async fn v8_equal_distances_are_in_the_order_of_ids(world: World) -> Verdict {
    let docs = world.open(points(3, Metric::Cosine)).await?;
    docs.put(collinear()).await?;
    let found = docs.search().nearest_to([1.0, 3.0, 7.0]).await?;
    assert_eq!(ids(&found), ["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    assert_eq!(distances(&found), [0.0; 9]);
    let found = docs
        .search()
        .nearest_to([1.0, 3.0, 7.0])
        .limit(4)
        .offset(2)
        .await?;
    assert_eq!(ids(&found), ["3", "4", "5", "6"]);
    Ok(())
}

async fn v8_text_ids_order_by_code_point(world: World) -> Verdict {
    let docs = world.open(points(2, Metric::L1)).await?;
    let order = [
        "", "10", "9", "B", "Z", "a", "a ", "ab", "b", "é", "\u{FFFD}", "🚀",
    ];
    docs.put(order.map(|id| at(id, [1.0, 1.0]))).await?;
    let found = docs.search().nearest_to([1.0, 1.0]).limit(20).await?;
    assert_eq!(ids(&found), order);
    Ok(())
}

async fn v8_integer_ids_order_as_numbers(world: World) -> Verdict {
    let place = |id: Id| DynamicRecord::new(id).with_vector("embedding", [1.0]);
    let signed = Schema::builder("signed", "id", IdType::I64).vector("embedding", 1, Metric::L1);
    let docs = world.open(signed).await?;
    let order = [i64::MIN, -10, -9, 0, 9, 10, i64::MAX].map(Id::from);
    docs.put(order.clone().map(place)).await?;
    let found = docs.search().nearest_to([1.0]).await?;
    assert_eq!(ids(&found), order.map(|id| id.to_string()));

    let unsigned =
        Schema::builder("unsigned", "id", IdType::U64).vector("embedding", 1, Metric::L1);
    let docs = world.open(unsigned).await?;
    let order = [0, 9, 10, 1 << 63, u64::MAX].map(Id::from);
    docs.put(order.clone().map(place)).await?;
    let found = docs.search().nearest_to([1.0]).await?;
    assert_eq!(ids(&found), order.map(|id| id.to_string()));
    Ok(())
}

async fn v8_uuids_order_by_their_bytes(world: World) -> Verdict {
    let schema = Schema::builder("keyed", "id", IdType::Uuid).vector("embedding", 1, Metric::L1);
    let docs = world.open(schema).await?;
    let mut keys: Vec<_> = (0..5).map(|_| new_id()).collect();
    let place = |id: &_| DynamicRecord::new(*id).with_vector("embedding", [1.0]);
    docs.put(keys.iter().rev().map(place)).await?;
    let found = docs.search().nearest_to([1.0]).await?;
    keys.sort_by_key(|id| *id.as_bytes());
    assert_eq!(
        ids(&found),
        keys.iter().map(ToString::to_string).collect::<Vec<_>>()
    );
    Ok(())
}

async fn v8_equal_vectors_are_both_returned(world: World) -> Verdict {
    let docs = world.open(points(2, Metric::Cosine)).await?;
    docs.put([
        at("b", [1.0, 2.0]),
        at("a", [1.0, 2.0]),
        at("c", [1.0, 2.0]),
    ])
    .await?;
    let found = docs.search().nearest_to([1.0, 2.0]).await?;
    assert_eq!(ids(&found), ["a", "b", "c"]);
    Ok(())
}

async fn v8_a_smaller_limit_is_a_prefix_of_a_larger_one(world: World) -> Verdict {
    let docs = world.open(points(3, Metric::Cosine)).await?;
    let mut rows = collinear();
    rows.extend([
        at("x", [1.0, 3.0, 6.0]),
        at("y", [2.0, 6.0, 12.0]),
        at("z", [0.0, 3.0, 7.0]),
    ]);
    docs.put(rows).await?;
    let whole = ids(&docs.search().nearest_to([1.0, 3.0, 7.0]).limit(100).await?);
    assert_eq!(whole.len(), 12);
    for limit in 0..12 {
        let part = docs
            .search()
            .nearest_to([1.0, 3.0, 7.0])
            .limit(limit)
            .await?;
        assert_eq!(ids(&part), whole[..limit]);
    }
    Ok(())
}

/// Numbers without a pattern, from −1 to 1, the same in every run.
fn scattered(seed: u32) -> [f32; 7] {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
    [(); 7].map(|()| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (f64::from(state) / f64::from(u32::MAX) * 2.0 - 1.0) as f32
    })
}

async fn v8_distances_are_those_of_the_one_function(world: World) -> Verdict {
    let docs = world.open(points(7, Metric::Euclidean)).await?;
    docs.put((1..=40).map(|seed| at(&seed.to_string(), scattered(seed))))
        .await?;
    let query = scattered(99);
    for metric in Metric::ALL {
        let found = docs
            .search()
            .nearest_to(query)
            .measured_by(metric)
            .limit(40)
            .await?;
        assert_eq!(found.len(), 40);
        for hit in &found {
            let seed = hit.document.id.to_string().parse().expect("a seed");
            let expected = metric
                .distance(&scattered(seed), &query)
                .expect("a distance");
            let equal = hit.distance.value().to_bits() == expected.value().to_bits();
            assert!(equal, "{metric}: {} is not {expected}", hit.distance);
        }
    }
    Ok(())
}

async fn v8_near_distances_are_told_apart(world: World) -> Verdict {
    // These differ by one unit in the last place of an f32 of 1,000: in f32 their
    // distances to the query are equal, and the order by id would be another.
    let docs = world.open(points(2, Metric::Euclidean)).await?;
    let step = 1_000.0_f32.next_up();
    docs.put([at("a", [step, 30_000.0]), at("b", [1_000.0, 30_000.0])])
        .await?;
    let found = docs.search().nearest_to([0.0, 0.0]).await?;
    assert_eq!(ids(&found), ["b", "a"]);
    assert!(found[0].distance < found[1].distance);
    Ok(())
}

async fn v8_a_cosine_distance_lies_between_0_and_2(world: World) -> Verdict {
    let docs = world.open(points(7, Metric::Cosine)).await?;
    let rows = (1..=30).flat_map(|seed| {
        let (same, opposite) = (scattered(seed), scattered(seed).map(|v| -v));
        [
            at(&format!("same {seed}"), same),
            at(&format!("opposite {seed}"), opposite),
        ]
    });
    docs.put(rows).await?;
    for seed in 1..=30 {
        let found = docs.search().nearest_to(scattered(seed)).limit(100).await?;
        assert_eq!(found.len(), 60);
        for hit in &found {
            let distance = hit.distance.value();
            assert!((0.0..=2.0).contains(&distance) && distance.is_sign_positive());
        }
    }
    let orthogonal = world.open(points(7, Metric::Cosine)).await?;
    let found = orthogonal
        .search()
        .nearest_to(scattered(1))
        .measured_by(Metric::InnerProduct);
    assert!(
        found
            .await?
            .iter()
            .all(|hit| hit.distance.value().to_bits() != (-0.0_f64).to_bits())
    );
    Ok(())
}
