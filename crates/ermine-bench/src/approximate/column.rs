//! The columns that filters are of, each a permutation of the documents.

use ermine::{ColumnType, ScalarType, Vector};

use crate::random::Random;

pub(crate) const TYPE: ColumnType = ColumnType::Scalar(ScalarType::I64);

/// What has nothing to do with any query.
pub(crate) const SHUFFLED: &str = "shuffled";

/// The place in the order of distance to a query, the furthest first.
pub(crate) fn far(query: usize) -> String {
    format!("far_{query:02}")
}

pub(crate) fn names(queries: usize) -> impl Iterator<Item = String> {
    std::iter::once(SHUFFLED.to_owned()).chain((0..queries).map(far))
}

/// The values of each document, in the order of the names.
pub(crate) fn values(
    vectors: &[Option<Vector>],
    queries: &[Vector],
    random: &mut Random,
) -> Vec<Vec<i64>> {
    let mut shuffled: Vec<usize> = (0..vectors.len()).collect();
    random.shuffle(&mut shuffled);
    let mut values: Vec<Vec<i64>> = vec![Vec::with_capacity(queries.len() + 1); vectors.len()];
    let mut add = |order: &[usize]| {
        for (place, document) in (0_i64..).zip(order) {
            if let Some(values) = values.get_mut(*document) {
                values.push(place);
            }
        }
    };
    add(&shuffled);
    for query in queries {
        let dot = |vector: &Option<Vector>| -> f32 {
            let Some(vector) = vector else {
                // Nobody finds it: it comes last.
                return f32::MAX;
            };
            let (vector, query) = (vector.as_slice(), query.as_slice());
            let dot: f32 = vector.iter().zip(query).map(|(a, b)| a * b).sum();
            dot / vector.iter().map(|a| a * a).sum::<f32>().sqrt()
        };
        let alike: Vec<f32> = vectors.iter().map(dot).collect();
        let mut order: Vec<usize> = (0..vectors.len()).collect();
        let of = |document: &usize| alike.get(*document).copied().unwrap_or_default();
        order.sort_by(|a, b| of(a).total_cmp(&of(b)));
        add(&order);
    }
    values
}
