//! What a store can do, for callers who choose the store at run time.

use std::fmt;

use crate::{Element, Error, ErrorKind, Metric, Result, ScalarType, Schema};

/// What a store can do. What is missing is refused by name, never emulated.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capabilities {
    /// The store's name, for messages.
    pub store: &'static str,
    /// What it does beyond keeping documents.
    pub features: Vec<Feature>,
    /// The metrics it searches by.
    pub metrics: Vec<Metric>,
    /// The vector elements it stores.
    pub elements: Vec<Element>,
    /// The column types it filters.
    pub column_types: Vec<ScalarType>,
}

/// Something a store may or may not do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Feature {
    /// Search by vector.
    VectorSearch,
    /// Search by text.
    TextSearch,
    /// Hybrid search and fusion in one snapshot.
    HybridSearch,
    /// Embedding of query texts in the store's own service.
    QueryEmbedding,
    /// Types whose documents belong to tenants.
    ConjoinedTenancy,
    /// Types whose documents are hidden before they are removed.
    SoftDelete,
    /// Approximate indexes of vectors. A store without searches all of them, which
    /// is more than an approximate search asks for; nothing needs this.
    ApproximateSearch,
    /// Streams of events, and what follows them.
    Events,
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::VectorSearch => "vector search",
            Self::TextSearch => "text search",
            Self::HybridSearch => "hybrid search",
            Self::QueryEmbedding => "embedding of its own",
            Self::ConjoinedTenancy => "conjoined tenancy",
            Self::SoftDelete => "soft delete",
            Self::ApproximateSearch => "approximate indexes",
            Self::Events => "events",
        })
    }
}

impl Capabilities {
    /// Everything an engine without embedding of its own can do, on the store
    /// `store`; take away what it lacks.
    pub fn all(store: &'static str) -> Self {
        Self {
            store,
            features: vec![
                Feature::VectorSearch,
                Feature::TextSearch,
                Feature::HybridSearch,
                Feature::ConjoinedTenancy,
                Feature::SoftDelete,
            ],
            metrics: Metric::ALL.to_vec(),
            elements: vec![Element::F32],
            column_types: vec![
                ScalarType::Bool,
                ScalarType::I64,
                ScalarType::U64,
                ScalarType::F64,
                ScalarType::Text,
                ScalarType::Uuid,
                ScalarType::Timestamp,
            ],
        }
    }

    /// Refuses `feature` by name where the store lacks it.
    ///
    /// # Errors
    ///
    /// `Unsupported`.
    pub fn require(&self, feature: Feature) -> Result<()> {
        if self.features.contains(&feature) {
            return Ok(());
        }
        Err(self.unsupported(format_args!("{feature}")))
    }

    /// Refuses by name what a declaration needs and the store lacks.
    ///
    /// # Errors
    ///
    /// `Unsupported`.
    pub fn check(&self, schema: &Schema) -> Result<()> {
        use crate::{ColumnType, Deletion, Tenancy};
        if schema.tenancy() == Tenancy::Conjoined {
            self.require(Feature::ConjoinedTenancy)?;
        }
        if schema.deletion() == Deletion::Soft {
            self.require(Feature::SoftDelete)?;
        }
        if !schema.text().is_empty() {
            self.require(Feature::TextSearch)?;
        }
        for field in schema.vectors() {
            self.require(Feature::VectorSearch)?;
            if !self.metrics.contains(&field.metric()) {
                return Err(self.unsupported(format_args!("the metric {}", field.metric())));
            }
            if !self.elements.contains(&field.element()) {
                return Err(self.unsupported(format_args!("{:?} vectors", field.element())));
            }
        }
        for column in schema.columns() {
            let (ColumnType::Scalar(scalar) | ColumnType::List(scalar)) = column.column_type();
            if !self.column_types.contains(&scalar) {
                return Err(self.unsupported(format_args!("columns of type {scalar}")));
            }
        }
        Ok(())
    }

    pub(crate) fn unsupported(&self, what: fmt::Arguments<'_>) -> Error {
        Error::new(
            ErrorKind::Unsupported,
            format!("the {} store has no {what}", self.store),
        )
    }
}
