//! How far pgvector's distances may be from Ermine's.
//!
//! pgvector adds up in single precision, in an order of its own; Ermine in double
//! precision, one element after the other. What follows from the textbook bound, for
//! sums of n products with unit roundoff u: an error of at most about n·u times the sum
//! of the products' magnitudes. It holds while squares neither overflow nor vanish,
//! which vectors of a norm beyond [`LARGEST_NORM`] or, where it is divided by, below
//! [`SMALLEST_NORM`] do: those are *odd*, and compared by Ermine alone.

use ermine_core::{Metric, Vector};

use crate::layout::{LARGEST_NORM, SMALLEST_NORM};

/// The unit roundoff of single precision.
const ROUNDOFF: f64 = 1.0 / 16_777_216.0;

/// Products that vanish add up to less than this.
const VANISHED: f64 = 1e-18;

/// What pgvector's figure says of the true distance to one query.
pub(super) struct Margin {
    metric: Metric,
    relative: f64,
    query_norm: f64,
}

impl Margin {
    pub(super) fn new(metric: Metric, query: &Vector) -> Self {
        // A few more, for the operations around the sum.
        let terms = query.len() as f64 + 16.0;
        let squares = query.as_slice().iter().map(|v| f64::from(*v).powi(2));
        Self {
            metric,
            relative: terms * ROUNDOFF,
            query_norm: squares.sum::<f64>().sqrt(),
        }
    }

    /// Whether the query is odd itself: then every row is compared by Ermine alone.
    pub(super) fn query_is_odd(&self) -> bool {
        self.query_norm > LARGEST_NORM
            || (self.metric == Metric::Cosine && self.query_norm < SMALLEST_NORM)
    }

    /// The length of the query.
    pub(super) fn query_norm(&self) -> f64 {
        self.query_norm
    }

    /// What candidates are ordered by, made of pgvector's figure: a number that is larger
    /// the larger the least distance is that the row may have.
    ///
    /// An inner product's error grows with the row's norm; the others' do not. No index
    /// on the vectors serves such an expression, which is what makes the scan exact.
    pub(super) fn order(&self, figure: &str) -> String {
        match self.metric {
            Metric::InnerProduct => {
                let per_norm = self.relative * self.query_norm;
                format!("{figure} - v.norm * {per_norm:e}::double precision")
            }
            _ => format!("{figure} + 0"),
        }
    }

    /// The rows of which the figure can be relied on.
    pub(super) fn even(&self) -> String {
        match self.metric {
            Metric::Cosine => format!("v.norm BETWEEN {SMALLEST_NORM:e} AND {LARGEST_NORM:e}"),
            _ => format!("v.norm <= {LARGEST_NORM:e}"),
        }
    }

    /// The rows of which it cannot. A zero vector has no cosine.
    pub(super) fn odd(&self) -> String {
        match self.metric {
            Metric::Cosine => format!(
                "(v.norm > {LARGEST_NORM:e} OR (v.norm < {SMALLEST_NORM:e} AND v.norm > 0))"
            ),
            _ => format!("v.norm > {LARGEST_NORM:e}"),
        }
    }

    /// The least distance a row may have that comes at this place of the order.
    pub(super) fn least(&self, order: f64) -> f64 {
        match self.metric {
            Metric::Cosine => order - 2.0 * self.relative,
            Metric::InnerProduct => order - order.abs() * 1e-12 - VANISHED,
            _ => order * (1.0 - self.relative) - VANISHED,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_least_distance_is_below_the_figure() {
        let query = Vector::from([3.0, 4.0]);
        for metric in Metric::ALL {
            let margin = Margin::new(metric, &query);
            assert!(!margin.query_is_odd(), "{metric}");
            for figure in [0.0, 1e-30, 0.5, 1e10] {
                assert!(margin.least(figure) < figure, "{metric}: {figure}");
            }
        }
        let odd = |metric, query: [f32; 2]| Margin::new(metric, &query.into()).query_is_odd();
        assert!(odd(Metric::Cosine, [1e-20, 0.0]) && odd(Metric::L1, [1e20, 0.0]));
        assert!(!odd(Metric::L1, [1e-20, 0.0]));
    }
}
