//! Distances for a group of rows at a time.
//!
//! Each lane adds one row's terms in the order of its elements, in `f64`, as
//! [`Metric::distance`] does: the result is the same to the bit, so no error has
//! to be bounded and nothing is computed twice.

use ermine_core::{Distance, Metric};

use crate::blocks::{LANES, lane_of};
use crate::row::{Head, squares};

/// What rows are compared with.
pub(super) struct Query<'a> {
    metric: Metric,
    elements: &'a [f32],
    wide: Vec<f64>,
    squares: f64,
    /// Whether the processor has registers of four `f64`: the sums are the same, and
    /// take fewer instructions.
    #[cfg(target_arch = "x86_64")]
    avx2: bool,
}

impl<'a> Query<'a> {
    pub(super) fn new(elements: &'a [f32], metric: Metric) -> Self {
        Self {
            metric,
            elements,
            wide: elements.iter().map(|v| f64::from(*v)).collect(),
            squares: squares(elements),
            #[cfg(target_arch = "x86_64")]
            avx2: std::arch::is_x86_feature_detected!("avx2"),
        }
    }

    /// The distance of each row of a group; `None` where there is none.
    pub(super) fn distances(
        &self,
        heads: &[Head],
        group: &[[f32; LANES]],
    ) -> [Option<Distance>; LANES] {
        #[cfg(target_arch = "x86_64")]
        if self.avx2 {
            // SAFETY: the processor was asked whether it has AVX2.
            #[allow(unsafe_code)]
            return unsafe { self.distances_avx2(heads, group) };
        }
        self.distances_of(heads, group)
    }

    /// The same code, compiled for AVX2. Nothing is contracted (FMA is another
    /// feature, and Rust contracts nothing unasked), so every bit is the same.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn distances_avx2(&self, heads: &[Head], group: &[[f32; LANES]]) -> [Option<Distance>; LANES] {
        self.distances_of(heads, group)
    }

    #[inline(always)]
    fn distances_of(&self, heads: &[Head], group: &[[f32; LANES]]) -> [Option<Distance>; LANES] {
        let query = &self.wide;
        match self.metric {
            Metric::Cosine => {
                let mut cosines = sums(group, query, |a, b| a * b);
                for (cosine, head) in cosines.iter_mut().zip(heads) {
                    *cosine /= (head.squares * self.squares).sqrt();
                }
                // A zero vector made this 0/0, which is no distance.
                cosines.map(|cosine| Distance::new((1.0 - cosine).clamp(0.0, 2.0)))
            }
            Metric::Euclidean => {
                sums(group, query, |a, b| (a - b) * (a - b)).map(|sum| Distance::new(sum.sqrt()))
            }
            Metric::InnerProduct => sums(group, query, |a, b| a * b).map(|sum| Distance::new(-sum)),
            Metric::L1 => sums(group, query, |a, b| (a - b).abs()).map(Distance::new),
            // A metric this crate has no sums for yet is still exact.
            other => std::array::from_fn(|lane| {
                let row: Vec<f32> = lane_of(group, lane).collect();
                other.distance(&row, self.elements)
            }),
        }
    }
}

/// The sum of `term` over the elements, for each row of a group.
#[inline(always)]
fn sums(group: &[[f32; LANES]], query: &[f64], term: impl Fn(f64, f64) -> f64) -> [f64; LANES] {
    let mut sums = [0.0; LANES];
    for (elements, q) in group.iter().zip(query) {
        for (sum, element) in sums.iter_mut().zip(elements) {
            *sum += term(f64::from(*element), *q);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RowState;

    /// Rows that round, cancel and vanish, a zero vector and a denormal one among them.
    fn rows() -> Vec<Vec<f32>> {
        let element = |row: u8, at: u8| match row {
            0 => 0.0,
            1 => f32::from_bits(u32::from(at)),
            2 => f32::from(at) * 1e36,
            _ => (f32::from(row) * 0.7 - f32::from(at) * 0.3).sin(),
        };
        (0..8)
            .map(|row| (0..37).map(|at| element(row, at)).collect())
            .collect()
    }

    #[test]
    fn every_way_to_sum_gives_the_bits_of_the_distance_function() {
        let rows = rows();
        let heads: Vec<Head> = rows
            .iter()
            .map(|row| Head {
                slot: 0,
                doc: 0,
                squares: squares(row),
                tenant: 0,
                state: RowState::Live,
            })
            .collect();
        let group: Vec<[f32; LANES]> = (0..37)
            .map(|at| std::array::from_fn(|lane| rows[lane][at]))
            .collect();
        for metric in Metric::ALL {
            for query in &rows {
                let expected: Vec<Option<Distance>> =
                    rows.iter().map(|row| metric.distance(row, query)).collect();
                let query = Query::new(query, metric);
                assert_eq!(
                    query.distances(&heads, &group).as_slice(),
                    expected,
                    "{metric}"
                );
                assert_eq!(
                    query.distances_of(&heads, &group).as_slice(),
                    expected,
                    "{metric}"
                );
            }
        }
    }
}
