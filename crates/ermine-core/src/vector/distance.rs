//! Distances: smaller is closer, whatever the metric.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use super::Metric;
use crate::{Error, ErrorKind, Result};

/// How far a match is from the query: smaller is closer on every metric and store.
///
/// Always finite, and never −0, so distances order totally.
///
/// ```
/// use ermine_core::Distance;
/// assert!(Distance::new(-5.0) < Distance::new(0.5));
/// assert_eq!(Distance::new(f64::NAN), None);
/// assert_eq!(format!("{:.2}", Distance::new(0.125).unwrap()), "0.12");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Distance(f64);

impl Distance {
    /// A distance; `None` where `value` is not finite. −0 becomes 0.
    pub fn new(value: f64) -> Option<Self> {
        value.is_finite().then_some(Self(value + 0.0))
    }

    /// The figure.
    pub fn value(self) -> f64 {
        self.0
    }

    /// This distance of `metric` in another of the metric's units.
    ///
    /// Refused where the unit is not one of the metric's.
    ///
    /// # Errors
    ///
    /// `InvalidOption`.
    pub fn in_unit(self, metric: Metric, unit: DistanceUnit) -> Result<f64> {
        match (metric, unit) {
            (_, DistanceUnit::Distance) => Ok(self.0),
            (Metric::Euclidean, DistanceUnit::SquaredEuclidean) => Ok(self.0 * self.0),
            (Metric::Cosine, DistanceUnit::CosineSimilarity) => Ok(1.0 - self.0),
            (Metric::InnerProduct, DistanceUnit::DotProduct) => Ok(-self.0),
            _ => Err(unit.refused(metric)),
        }
    }

    /// The distance of `metric` that `value` is in one of the metric's units.
    ///
    /// ```
    /// use ermine_core::{Distance, DistanceUnit, Metric};
    /// let d = Distance::from_unit(4.0, Metric::Euclidean, DistanceUnit::SquaredEuclidean)?;
    /// assert_eq!(d.value(), 2.0);
    /// # Ok::<(), ermine_core::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `InvalidOption`.
    pub fn from_unit(value: f64, metric: Metric, unit: DistanceUnit) -> Result<Self> {
        let distance = match (metric, unit) {
            (_, DistanceUnit::Distance) => value,
            (Metric::Euclidean, DistanceUnit::SquaredEuclidean) => value.sqrt(),
            (Metric::Cosine, DistanceUnit::CosineSimilarity) => 1.0 - value,
            (Metric::InnerProduct, DistanceUnit::DotProduct) => -value,
            _ => return Err(unit.refused(metric)),
        };
        Self::new(distance).ok_or_else(|| {
            Error::new(
                ErrorKind::InvalidOption,
                format!("{value} is no {metric} distance: it is not finite in that unit"),
            )
        })
    }
}

impl Eq for Distance {}

impl Hash for Distance {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Equal figures have equal bits: −0 is equal to 0, and NaN is none.
        (self.0 + 0.0).to_bits().hash(state);
    }
}

impl PartialOrd for Distance {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Distance {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Other ways to state a distance of one metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DistanceUnit {
    /// The distance as Ermine orders it.
    Distance,
    /// The square of a Euclidean distance.
    SquaredEuclidean,
    /// The cosine of the angle: 1 − distance.
    CosineSimilarity,
    /// The inner product, not negated.
    DotProduct,
}

impl DistanceUnit {
    fn refused(self, metric: Metric) -> Error {
        Error::new(
            ErrorKind::InvalidOption,
            format!("{self:?} is not a unit of the {metric} metric"),
        )
    }
}
