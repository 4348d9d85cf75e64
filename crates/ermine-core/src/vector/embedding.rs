//! A document's vector field: loaded or not, there or not.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

use super::Vector;

/// The value of a vector field.
///
/// Searches do not return vectors unless asked, and what they did not return is
/// [`NotLoaded`](Self::NotLoaded): storing such a document keeps the vector that
/// is in the database. [`Absent`](Self::Absent) says that there is none, and
/// storing it removes one.
///
/// In JSON a vector is an array, an absent one the empty array, and one that was
/// not loaded is `null` or missing, so that a document sent through an API and
/// stored again loses nothing.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Embedding {
    /// The vector was not read. Storing the document keeps what is stored.
    #[default]
    NotLoaded,
    /// The document has no vector, and is no candidate of a vector search.
    Absent,
    /// The vector.
    Present(Vector),
}

impl Embedding {
    /// The vector, where there is one and it was loaded.
    pub fn vector(&self) -> Option<&Vector> {
        match self {
            Self::Present(vector) => Some(vector),
            Self::NotLoaded | Self::Absent => None,
        }
    }
}

impl<T: Into<Vector>> From<T> for Embedding {
    fn from(vector: T) -> Self {
        Self::Present(vector.into())
    }
}

impl Serialize for Embedding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::NotLoaded => serializer.serialize_none(),
            Self::Absent => serializer.serialize_some(&[(); 0] as &[()]),
            Self::Present(vector) => serializer.serialize_some(vector),
        }
    }
}

impl<'de> Deserialize<'de> for Embedding {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // As an option, so that serde takes a missing field for one that was not loaded.
        deserializer.deserialize_option(EmbeddingVisitor)
    }
}

struct EmbeddingVisitor;

impl<'de> Visitor<'de> for EmbeddingVisitor {
    type Value = Embedding;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of numbers, or null")
    }

    fn visit_none<E>(self) -> Result<Embedding, E> {
        Ok(Embedding::NotLoaded)
    }

    fn visit_unit<E>(self) -> Result<Embedding, E> {
        Ok(Embedding::NotLoaded)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Embedding, D::Error> {
        let vector = Vector::deserialize(deserializer)?;
        Ok(if vector.is_empty() {
            Embedding::Absent
        } else {
            Embedding::Present(vector)
        })
    }
}
