//! Vectors, metrics and distances.

mod distance;
mod embedding;
mod metric;
mod vector_value;

use std::ops::Deref;

use serde::{Deserialize, Serialize};

pub use distance::{Distance, DistanceUnit};
pub use embedding::Embedding;
pub use metric::Metric;
pub use vector_value::VectorValue;

use crate::{Error, ErrorKind, Result};

/// The largest number of dimensions a vector field may declare, on every store.
pub const MAX_DIMENSIONS: usize = 16_000;

/// A vector of `f32` elements.
///
/// A `Vector` may hold anything; it is judged (length, finiteness, not zero
/// under cosine) against the field it is stored in or searched with.
///
/// ```
/// use ermine_core::Vector;
///
/// let halved: Vector = Vector::from(&[2.0, 4.0]).iter().map(|element| element / 2.0).collect();
/// assert_eq!(halved[..], [1.0, 2.0]);
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Vector(Vec<f32>);

impl Vector {
    /// The elements.
    pub fn as_slice(&self) -> &[f32] {
        &self.0
    }

    /// The elements, without a copy.
    pub fn into_inner(self) -> Vec<f32> {
        self.0
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The stored form: each element as four little-endian bytes.
    ///
    /// ```
    /// use ermine_core::Vector;
    /// assert_eq!(Vector::from([1.0, -2.0]).to_le_bytes(), [0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0]);
    /// ```
    pub fn to_le_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|v| v.to_le_bytes()).collect()
    }

    /// A vector back from its stored form; `None` unless the length is a multiple of four.
    pub fn from_le_bytes(bytes: &[u8]) -> Option<Self> {
        let (elements, rest) = bytes.as_chunks::<4>();
        rest.is_empty()
            .then(|| Self(elements.iter().map(|b| f32::from_le_bytes(*b)).collect()))
    }

    /// A stored vector, where it is one that a field of `dimensions` compared by
    /// `metric` can hold: what somebody else's program put there may be none (rule V6).
    pub fn from_stored(bytes: &[u8], dimensions: usize, metric: Metric) -> Option<Self> {
        Self::from_le_bytes(bytes).filter(|vector| vector.check(dimensions, metric, "").is_ok())
    }

    /// Whether a field of `dimensions` searched by `metric` can hold or be asked
    /// for this vector: the length first, then NaN and infinity, then the zero
    /// vector under cosine. The message starts with `what`.
    ///
    /// # Errors
    ///
    /// `WrongDimensions`, `InvalidVector`.
    pub fn check(
        &self,
        dimensions: usize,
        metric: Metric,
        what: impl std::fmt::Display,
    ) -> Result<()> {
        if self.len() != dimensions {
            return Err(Error::new(
                ErrorKind::WrongDimensions,
                format!(
                    "{what}: expected {dimensions} dimensions, got {}",
                    self.len()
                ),
            ));
        }
        if let Some(at) = self.0.iter().position(|v| !v.is_finite()) {
            return Err(Error::new(
                ErrorKind::InvalidVector,
                format!("{what}: element {at} is not a finite number"),
            ));
        }
        if metric == Metric::Cosine && self.0.iter().all(|v| *v == 0.0) {
            return Err(Error::new(
                ErrorKind::InvalidVector,
                format!("{what}: the zero vector has no direction, so cosine cannot compare it"),
            ));
        }
        Ok(())
    }
}

impl From<Vec<f32>> for Vector {
    fn from(elements: Vec<f32>) -> Self {
        Self(elements)
    }
}

impl From<&[f32]> for Vector {
    fn from(elements: &[f32]) -> Self {
        Self(elements.to_vec())
    }
}

impl<const N: usize> From<&[f32; N]> for Vector {
    fn from(elements: &[f32; N]) -> Self {
        Self(elements.to_vec())
    }
}

impl FromIterator<f32> for Vector {
    fn from_iter<I: IntoIterator<Item = f32>>(elements: I) -> Self {
        Self(elements.into_iter().collect())
    }
}

impl Deref for Vector {
    type Target = [f32];
    fn deref(&self) -> &[f32] {
        &self.0
    }
}

impl<const N: usize> From<[f32; N]> for Vector {
    fn from(elements: [f32; N]) -> Self {
        Self(elements.to_vec())
    }
}

impl From<&Vector> for Vector {
    fn from(vector: &Vector) -> Self {
        vector.clone()
    }
}

impl From<&Vec<f32>> for Vector {
    fn from(elements: &Vec<f32>) -> Self {
        Self(elements.clone())
    }
}

impl AsRef<[f32]> for Vector {
    fn as_ref(&self) -> &[f32] {
        &self.0
    }
}
