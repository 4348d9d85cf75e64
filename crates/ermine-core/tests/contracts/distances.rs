use ermine_core::{Distance, DistanceUnit, ErrorKind, Metric, Vector};

fn distance(metric: Metric, a: &[f32], b: &[f32]) -> f64 {
    metric.distance(a, b).expect("a distance").value()
}

#[track_caller]
fn close(actual: f64, expected: f64) {
    assert!(
        (actual - expected).abs() < 1e-6,
        "{actual} is not {expected}"
    );
}

#[test]
fn each_metric_has_its_known_values() {
    let query = [1.0, 0.0];
    let rows = [[2.0, 0.0], [0.9, 0.1], [0.0, 1.0], [-1.0, 0.0], [5.0, 5.0]];
    let expected = [
        (Metric::Cosine, [0.0, 0.006_116, 1.0, 2.0, 0.292_893]),
        (
            Metric::Euclidean,
            [1.0, 0.141_421, std::f64::consts::SQRT_2, 2.0, 6.403_124],
        ),
        (Metric::InnerProduct, [-2.0, -0.9, 0.0, 1.0, -5.0]),
        (Metric::L1, [1.0, 0.2, 2.0, 2.0, 9.0]),
    ];
    for (metric, distances) in expected {
        for (row, expected) in rows.iter().zip(distances) {
            close(distance(metric, row, &query), expected);
        }
    }
}

#[test]
fn collinear_vectors_are_exactly_equally_far() {
    for i in 1..=9 {
        let i = i as f32;
        assert_eq!(
            distance(Metric::Cosine, &[i, 3.0 * i, 7.0 * i], &[1.0, 3.0, 7.0]),
            0.0
        );
    }
}

#[test]
fn no_distance_is_minus_zero_or_not_finite() {
    let zero = Metric::InnerProduct
        .distance(&[0.0], &[5.0])
        .expect("a distance");
    assert!(zero.value().is_sign_positive());
    for metric in Metric::ALL {
        assert_eq!(metric.distance(&[f32::NAN], &[1.0]), None);
        assert_eq!(metric.distance(&[f32::INFINITY], &[1.0]), None);
        assert_eq!(metric.distance(&[1.0, 2.0], &[1.0]), None);
    }
    assert_eq!(Distance::new(f64::INFINITY), None);
}

#[test]
fn the_largest_and_smallest_elements_stay_comparable() {
    assert!(
        Metric::Euclidean
            .distance(&[f32::MAX; 64], &[f32::MIN; 64])
            .is_some()
    );
    let tiny = f32::from_bits(1);
    close(distance(Metric::Cosine, &[tiny, 0.0], &[0.0, tiny]), 1.0);
}

#[test]
fn units_convert_both_ways_and_belong_to_a_metric() {
    let two = Distance::new(2.0).expect("finite");
    let squared = DistanceUnit::SquaredEuclidean;
    assert_eq!(two.in_unit(Metric::Euclidean, squared).unwrap(), 4.0);
    assert_eq!(
        Distance::from_unit(4.0, Metric::Euclidean, squared).unwrap(),
        two
    );
    let error = two.in_unit(Metric::Cosine, squared).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidOption);
    assert!(Distance::from_unit(-1.0, Metric::Euclidean, squared).is_err());
}

#[test]
fn a_vector_is_judged_by_length_then_finiteness_then_direction() {
    let kind = |vector: Vector, metric| vector.check(3, metric, "v").map_err(|e| e.kind());
    assert_eq!(
        kind([f32::NAN, 0.0].into(), Metric::Cosine),
        Err(ErrorKind::WrongDimensions)
    );
    assert_eq!(
        kind([f32::NAN, 0.0, 0.0].into(), Metric::L1),
        Err(ErrorKind::InvalidVector)
    );
    assert_eq!(
        kind([0.0, -0.0, 0.0].into(), Metric::Cosine),
        Err(ErrorKind::InvalidVector)
    );
    assert_eq!(kind([0.0, 0.0, 0.0].into(), Metric::Euclidean), Ok(()));
    let error = Vector::from([1.0, 0.0])
        .check(3, Metric::Cosine, "query")
        .unwrap_err();
    assert_eq!(error.to_string(), "query: expected 3 dimensions, got 2");
}

#[test]
fn the_stored_form_is_little_endian_and_whole() {
    let vector = Vector::from([1.0, -2.0]);
    assert_eq!(Vector::from_le_bytes(&vector.to_le_bytes()), Some(vector));
    assert_eq!(Vector::from_le_bytes(&[0; 9]), None);
}

#[test]
fn figures_that_are_equal_hash_alike() {
    use std::collections::HashSet;

    use ermine_core::{Distance, Score};

    let distances: HashSet<_> = [0.0, -0.0, 0.25, 0.25]
        .into_iter()
        .map(Distance::new)
        .collect();
    assert_eq!(distances.len(), 2);
    let scores: HashSet<_> = [0.0, -0.0, 0.25].into_iter().map(Score::new).collect();
    assert_eq!(scores.len(), 2);
    let read: Distance = serde_json::from_str("-0.0").unwrap();
    assert!(HashSet::from([read]).contains(&Distance::new(0.0).unwrap()));
}
