use ermine_core::{ErrorKind, Page, RankedLeg, candidate_depth, fuse};

fn fused(legs: &[RankedLeg<&'static str>]) -> Vec<(&'static str, f64)> {
    fuse(legs, 60)
        .expect("fuses")
        .into_iter()
        .map(|f| (f.key, f.score.value()))
        .collect()
}

#[track_caller]
fn assert_fused(legs: &[&[&'static str]], expected: &[(&str, f64)]) {
    let legs: Vec<_> = legs
        .iter()
        .map(|leg| RankedLeg::new(leg.iter().copied()))
        .collect();
    let actual = fused(&legs);
    assert_eq!(actual.len(), expected.len(), "{actual:?}");
    for ((key, score), (expected_key, expected_score)) in actual.iter().zip(expected) {
        assert_eq!(key, expected_key, "{actual:?}");
        assert!((score - expected_score).abs() < 1e-8, "{actual:?}");
    }
}

#[test]
fn known_rankings_have_their_known_scores() {
    assert_fused(
        &[&["A", "B", "C"], &["C", "A", "D"]],
        &[
            ("A", 0.032_522_475),
            ("C", 0.032_266_458),
            ("B", 0.016_129_032),
            ("D", 0.015_873_016),
        ],
    );
}

#[test]
fn first_and_third_beats_second_twice() {
    let order: Vec<_> = fused(&[
        RankedLeg::new(["x", "y", "z"]),
        RankedLeg::new(["z", "y", "x"]),
    ])
    .into_iter()
    .map(|(key, _)| key)
    .collect();
    assert_eq!(order, ["x", "z", "y"]);
}

#[test]
fn ties_go_to_the_best_rank_and_then_to_the_key() {
    assert_fused(
        &[&["A", "B"], &["B", "A"]],
        &[("A", 0.032_522_475), ("B", 0.032_522_475)],
    );
    assert_fused(
        &[&["b"], &["a"]],
        &[("a", 0.016_393_443), ("b", 0.016_393_443)],
    );
    assert_fused(
        &[&[], &["b", "a"]],
        &[("b", 0.016_393_443), ("a", 0.016_129_032)],
    );
}

#[test]
fn a_repeated_key_counts_at_its_first_place_and_takes_no_rank() {
    assert_fused(
        &[&["A", "B", "A"], &["B"]],
        &[("B", 0.032_522_475), ("A", 0.016_393_443)],
    );
    assert_fused(
        &[&["A", "A", "B"]],
        &[("A", 0.016_393_443), ("B", 0.016_129_032)],
    );
}

#[test]
fn the_order_of_the_legs_does_not_move_a_score() {
    let legs = [
        RankedLeg::weighted(["a", "b", "c"], 0.3),
        RankedLeg::weighted(["c", "a", "b"], 0.7),
        RankedLeg::weighted(["b", "c", "a"], 0.1),
    ];
    let mut turned = legs.clone();
    turned.rotate_left(1);
    assert_eq!(fused(&legs), fused(&turned));
}

#[test]
fn weight_zero_leaves_a_leg_out() {
    let legs = [RankedLeg::weighted(["a"], 0.0), RankedLeg::new(["b"])];
    assert_eq!(fused(&legs), [("b", 1.0 / 61.0)]);
}

#[test]
fn senseless_options_are_refused() {
    let kind = |result: ermine_core::Result<Vec<_>>| result.map(drop).map_err(|e| e.kind());
    assert_eq!(
        kind(fuse(&[RankedLeg::new(["a"])], 0)),
        Err(ErrorKind::InvalidOption)
    );
    for weight in [-1.0, f64::NAN, f64::INFINITY, 0.0] {
        let leg = RankedLeg::weighted(["a"], weight);
        assert_eq!(
            kind(fuse(&[leg], 60)),
            Err(ErrorKind::InvalidOption),
            "{weight}"
        );
    }
}

#[test]
fn the_depth_of_a_leg_follows_the_page() {
    let page = |limit, offset| Page { limit, offset };
    assert_eq!(candidate_depth(None, page(10, 0)).unwrap(), 50);
    assert_eq!(candidate_depth(None, page(100, 0)).unwrap(), 400);
    assert_eq!(candidate_depth(Some(30), page(10, 20)).unwrap(), 30);
    assert!(candidate_depth(Some(29), page(10, 20)).is_err());
    assert!(candidate_depth(None, page(10, 1)).is_err());
}
