//! Twenty texts have exactly the vectors that the recipe computed from the same file in numpy.

#![allow(clippy::unwrap_used, reason = "a test helper may panic")]

use ermine_embed::StaticModel;

const GOLDEN: &str = include_str!("vectors.golden");

/// Each line: the text, and its vector as big-endian hex, empty where it cannot be represented.
fn goldens() -> Vec<(String, Option<Vec<f32>>)> {
    let float = |at: &[u8]| {
        let digits = std::str::from_utf8(at).unwrap();
        f32::from_bits(u32::from_str_radix(digits, 16).unwrap())
    };
    GOLDEN
        .lines()
        .map(|line| {
            let (text, hex): (String, String) = serde_json::from_str(line).unwrap();
            let vector: Vec<f32> = hex.as_bytes().chunks(8).map(float).collect();
            (text, (!vector.is_empty()).then_some(vector))
        })
        .collect()
}

#[test]
fn to_the_bit() {
    let model = StaticModel::bundled();
    let goldens = goldens();
    assert_eq!(
        goldens
            .iter()
            .filter(|(_, vector)| vector.is_some())
            .count(),
        20
    );
    for (text, expected) in goldens {
        assert_eq!(model.embed(&text), expected, "{text:?}");
    }
}

#[test]
fn of_unit_length_and_the_same_every_time() {
    let (first, second) = (StaticModel::bundled(), StaticModel::bundled());
    for (text, _) in goldens() {
        let vector = first.embed(&text);
        assert_eq!(vector, second.embed(&text), "{text:?}");
        if let Some(vector) = vector {
            let squares: f64 = vector.iter().map(|x| f64::from(*x).powi(2)).sum();
            assert!((squares - 1.0).abs() < 1e-6, "{text:?}: {squares}");
        }
    }
}

#[test]
fn from_another_thread_too() {
    let text = "the same on every thread";
    let here = StaticModel::bundled().embed(text);
    let there = std::thread::spawn(move || StaticModel::bundled().embed(text))
        .join()
        .unwrap();
    assert_eq!(here, there);
}
