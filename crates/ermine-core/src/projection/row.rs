//! Rows of a vector projection.

use std::fmt;
use std::sync::Arc;

use crate::{Error, Position, StoredEvent, TenantId, Vector, VectorWrite};

/// Which row: its id, within the tenant whose event it comes from (rule P14).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowKey<I> {
    /// Whose it is; `None` for what comes from streams of no tenant.
    pub tenant: Option<TenantId>,
    /// The id.
    pub id: I,
}

/// A row with its text, and what is stored beside its vector.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PlannedRow<I> {
    /// Which row.
    pub key: RowKey<I>,
    /// The text.
    pub text: Arc<str>,
    /// The text's hash: see [`content_hash`](crate::content_hash).
    pub hash: String,
    /// The position of the event that the text comes from.
    pub position: Position,
}

/// A row to be written.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RowWrite<I> {
    /// The row, its text and the text's hash, which is stored with the vector.
    pub row: PlannedRow<I>,
    /// The vector; `None` where the model cannot represent the text, which is
    /// recorded by a hash without a vector (rule P7).
    pub vector: Option<Vector>,
}

impl<I> RowWrite<I> {
    /// What a store's unit says of the vector field.
    pub fn vector_write(&self) -> VectorWrite {
        let hash = Some(self.row.hash.clone());
        match self.vector.clone() {
            Some(vector) => VectorWrite::Set { vector, hash },
            None => VectorWrite::Clear { hash },
        }
    }
}

/// An event could not be applied (rule P3): a selector or a fold failed, or what is
/// stored could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub struct ApplyError {
    /// Whose stream the event is in; `None` for the streams of no tenant.
    pub tenant: Option<TenantId>,
    /// The event's position.
    pub position: Position,
    /// Why.
    pub error: Error,
}

impl ApplyError {
    /// That `event` could not be applied because of `error`.
    pub fn new(event: &StoredEvent, error: Error) -> Self {
        Self {
            tenant: event.tenant.clone(),
            position: event.position,
            error,
        }
    }
}

impl fmt::Display for ApplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for ApplyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.error.source()
    }
}

impl From<ApplyError> for Error {
    fn from(error: ApplyError) -> Self {
        error.error
    }
}
