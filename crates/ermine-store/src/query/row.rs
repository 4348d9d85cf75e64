//! What a query answers with.

use ermine_core::{Record, Result, Schema, StoredRecord, TenantId};

/// A document with the tenant it belongs to: what a query across tenants answers with.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Owned<R> {
    /// Whose it is; `None` for a type without tenants.
    pub tenant: Option<TenantId>,
    /// The document.
    pub document: R,
}

/// A row of a query's answer.
pub trait Row<R>: Sized + Send + 'static {
    /// The row of a stored document.
    fn of(schema: &Schema, stored: StoredRecord) -> Result<Self>;
}

impl<R: Record> Row<R> for R {
    fn of(schema: &Schema, stored: StoredRecord) -> Result<Self> {
        R::from_stored(schema, stored)
    }
}

impl<R: Record> Row<R> for Owned<R> {
    fn of(schema: &Schema, stored: StoredRecord) -> Result<Self> {
        let tenant = stored.tenant.clone();
        let document = R::from_stored(schema, stored)?;
        Ok(Self { tenant, document })
    }
}
