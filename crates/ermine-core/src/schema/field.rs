//! The fields of a declaration.

use serde::{Deserialize, Serialize};

use super::VectorIndex;
use crate::{Accuracy, ColumnType, Metric};

/// An indexed field: a typed column that filters and orders.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColumnSchema {
    pub(super) name: String,
    pub(super) column_type: ColumnType,
}

impl ColumnSchema {
    /// The field's name as serde writes it; a nested field's is its path, joined by dots.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type of its values.
    pub fn column_type(&self) -> ColumnType {
        self.column_type
    }
}

/// A field that text search reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TextFieldSchema {
    pub(super) name: String,
    pub(super) weight: f64,
}

impl TextFieldSchema {
    /// The field's name as serde writes it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How much an occurrence in this field counts, unless a search says otherwise.
    pub fn weight(&self) -> f64 {
        self.weight
    }
}

/// A field that holds a vector.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VectorFieldSchema {
    pub(super) name: String,
    pub(super) dimensions: usize,
    pub(super) metric: Metric,
    pub(super) element: Element,
    pub(super) from: Option<Vec<String>>,
    // What follows came later: declarations stored before do not name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) index: Option<VectorIndex>,
    #[serde(default, skip_serializing_if = "is_exact")]
    pub(super) accuracy: Accuracy,
}

fn is_exact(accuracy: &Accuracy) -> bool {
    *accuracy == Accuracy::Exact
}

impl VectorFieldSchema {
    /// A field of vectors that the caller sets, searched exactly, for
    /// [`SchemaBuilder::vector_field`](super::SchemaBuilder::vector_field).
    pub fn new(name: impl Into<String>, dimensions: usize, metric: Metric) -> Self {
        Self {
            name: name.into(),
            dimensions,
            metric,
            element: Element::F32,
            from: None,
            index: None,
            accuracy: Accuracy::Exact,
        }
    }

    /// Embeds it from the text of these fields, joined by newlines (rule D11).
    #[must_use]
    pub fn embedded_from<S: Into<String>>(mut self, from: impl IntoIterator<Item = S>) -> Self {
        self.from = Some(from.into_iter().map(Into::into).collect());
        self
    }

    /// Indexes it for approximate search.
    #[must_use]
    pub fn indexed(mut self, index: impl Into<VectorIndex>) -> Self {
        self.index = Some(index.into());
        self
    }

    /// Makes its searches approximate unless they say otherwise; it has to be indexed.
    #[must_use]
    pub fn approximate(mut self) -> Self {
        self.accuracy = Accuracy::Approximate;
        self
    }

    /// The field's name as serde writes it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many elements every vector of this field has.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The metric its searches use unless they name another.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The type of an element.
    pub fn element(&self) -> Element {
        self.element
    }

    /// The fields whose text it is embedded from (rule D11); `None` where the
    /// caller sets it.
    pub fn from(&self) -> Option<&[String]> {
        self.from.as_deref()
    }

    /// Its approximate index, where one is declared.
    pub fn index(&self) -> Option<VectorIndex> {
        self.index
    }

    /// What its searches are unless they say otherwise (rule V10).
    pub fn accuracy(&self) -> Accuracy {
        self.accuracy
    }
}

/// The type of a vector's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Element {
    /// 32-bit floating point.
    #[default]
    F32,
}
