//! Reading across tenants.

use std::fmt;
use std::marker::PhantomData;

use ermine_core::{Backend, Document, Record};

use crate::runtime::Context;
use crate::{Collection, Owned, Query, Search};

/// Reads of every tenant's documents: an explicit type, since a tenant must never have one.
///
/// Matches and documents carry the tenant they belong to, orders end in tenant,
/// then id, and each text match is scored by its own tenant's statistics (rules
/// D5, T12). There is no load, since an id may be several tenants', and no
/// fusion, since a key of the caller's does not hold the tenant.
pub struct CrossTenantReader<B> {
    pub(super) context: Context,
    backend: PhantomData<fn() -> B>,
}

impl<B: Backend> CrossTenantReader<B> {
    pub(crate) fn new(context: Context) -> Self {
        Self {
            context,
            backend: PhantomData,
        }
    }

    /// Begins a query of the documents of type `D`.
    pub fn query<D: Document>(&self) -> Query<D, Owned<D>> {
        Query::new(self.context.clone(), self.context.runtime.typed())
    }

    /// Begins a query of the documents of a collection.
    pub fn query_in<R: Record>(&self, collection: &Collection<R>) -> Query<R, Owned<R>> {
        Query::new(self.context.clone(), Ok(collection.clone()))
    }

    /// Begins a search of the documents of type `D`.
    pub fn search<D: Document>(&self) -> Search<B, D> {
        Search::new(self.context.clone(), self.context.runtime.typed())
    }

    /// Begins a search of the documents of a collection.
    pub fn search_in<R: Record>(&self, collection: &Collection<R>) -> Search<B, R> {
        Search::new(self.context.clone(), Ok(collection.clone()))
    }
}

impl<B> Clone for CrossTenantReader<B> {
    fn clone(&self) -> Self {
        Self {
            context: self.context.clone(),
            backend: PhantomData,
        }
    }
}

impl<B> fmt::Debug for CrossTenantReader<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CrossTenantReader")
    }
}
