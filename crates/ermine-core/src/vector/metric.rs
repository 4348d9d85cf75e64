//! The metrics, and the one distance function.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Distance;
use crate::{Error, ErrorKind};

/// How far apart two vectors are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Metric {
    /// 1 − cos of the angle, from 0 to 2. The default.
    #[default]
    Cosine,
    /// Euclidean distance (L2, not squared).
    Euclidean,
    /// The negated inner product, so that smaller is closer here too.
    InnerProduct,
    /// The sum of absolute differences (L1, Manhattan).
    L1,
}

impl Metric {
    /// Every metric.
    pub const ALL: [Self; 4] = [Self::Cosine, Self::Euclidean, Self::InnerProduct, Self::L1];

    /// The distance between two vectors: the one definition every store's
    /// distances and order are taken from (rule V8).
    ///
    /// All sums are taken in `f64`, element after element, so the result is the
    /// same to the bit everywhere. `None` where the lengths differ, where cosine
    /// meets a zero vector, and where the result is not finite.
    ///
    /// ```
    /// use ermine_core::Metric;
    ///
    /// let d = Metric::Cosine.distance(&[0.9, 0.1], &[1.0, 0.0]).unwrap();
    /// assert!((d.value() - 0.006116).abs() < 1e-6);
    /// assert_eq!(Metric::InnerProduct.distance(&[5.0, 5.0], &[1.0, 0.0]).unwrap().value(), -5.0);
    /// assert_eq!(Metric::Cosine.distance(&[0.0, 0.0], &[1.0, 0.0]), None);
    /// ```
    pub fn distance(self, a: &[f32], b: &[f32]) -> Option<Distance> {
        if a.len() != b.len() {
            return None;
        }
        let pairs = a.iter().zip(b).map(|(a, b)| (f64::from(*a), f64::from(*b)));
        Distance::new(match self {
            Self::Cosine => {
                let (mut dot, mut na, mut nb) = (0.0_f64, 0.0_f64, 0.0_f64);
                for (a, b) in pairs {
                    dot += a * b;
                    na += a * a;
                    nb += b * b;
                }
                if na == 0.0 || nb == 0.0 {
                    return None;
                }
                // NaN passes a clamp, and is then refused by `Distance::new`.
                (1.0 - dot / (na * nb).sqrt()).clamp(0.0, 2.0)
            }
            Self::Euclidean => sum(pairs.map(|(a, b)| (a - b) * (a - b))).sqrt(),
            Self::InnerProduct => -sum(pairs.map(|(a, b)| a * b)),
            Self::L1 => sum(pairs.map(|(a, b)| (a - b).abs())),
        })
    }

    /// The metric's name, as declared and as stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cosine => "cosine",
            Self::Euclidean => "euclidean",
            Self::InnerProduct => "inner_product",
            Self::L1 => "l1",
        }
    }
}

/// Adds in the order given: `Iterator::sum` promises none.
fn sum(terms: impl Iterator<Item = f64>) -> f64 {
    let mut total = 0.0;
    for term in terms {
        total += term;
    }
    total
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Metric {
    type Err = Error;
    fn from_str(name: &str) -> Result<Self, Error> {
        match name {
            "cosine" => Ok(Self::Cosine),
            "euclidean" | "l2" => Ok(Self::Euclidean),
            "inner_product" => Ok(Self::InnerProduct),
            "l1" => Ok(Self::L1),
            other => Err(Error::new(
                ErrorKind::Declaration,
                format!(
                    "{other:?} is not a metric; the metrics are cosine, euclidean (or l2), inner_product and l1"
                ),
            )),
        }
    }
}
