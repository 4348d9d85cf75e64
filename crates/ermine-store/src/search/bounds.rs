//! The floors and ceilings a search is given.

use ermine_core::{Distance, DistanceUnit, Error, ErrorKind, Metric, Result, Score};

/// The inclusive largest distance of a match, in the search's metric or in one
/// of the metric's other units.
///
/// ```
/// use ermine_core::DistanceUnit;
/// use ermine_store::MaxDistance;
///
/// let within = MaxDistance::from(0.4);
/// // At least as similar as 0.6: at most 0.4 away, under cosine.
/// let alike = MaxDistance::in_unit(0.6, DistanceUnit::CosineSimilarity);
/// assert_ne!(within, alike);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MaxDistance {
    value: f64,
    unit: DistanceUnit,
}

impl MaxDistance {
    /// A bound stated in one of the metric's units; refused by the search where
    /// the unit is not one of its metric's.
    pub fn in_unit(value: f64, unit: DistanceUnit) -> Self {
        Self { value, unit }
    }

    pub(crate) fn of(self, metric: Metric) -> Result<Distance> {
        Distance::from_unit(self.value, metric, self.unit)
    }
}

impl From<f64> for MaxDistance {
    fn from(value: f64) -> Self {
        Self::in_unit(value, DistanceUnit::Distance)
    }
}

impl From<Distance> for MaxDistance {
    fn from(distance: Distance) -> Self {
        Self::from(distance.value())
    }
}

/// The inclusive smallest score of a match, within one query (rule V1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MinScore(f64);

impl MinScore {
    pub(crate) fn score(self) -> Result<Score> {
        Score::new(self.0).ok_or_else(|| {
            Error::new(
                ErrorKind::InvalidOption,
                format!("the smallest score {} is not a finite number", self.0),
            )
        })
    }
}

impl From<f64> for MinScore {
    fn from(value: f64) -> Self {
        Self(value)
    }
}

impl From<Score> for MinScore {
    fn from(score: Score) -> Self {
        Self(score.value())
    }
}
