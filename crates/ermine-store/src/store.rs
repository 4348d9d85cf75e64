//! An open store.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use ermine_core::{
    Backend, Capabilities, Document, DynamicRecord, EventStorage, Result, SchemaReport, Storage,
};

use crate::runtime::{Context, Runtime, Whose};
use crate::{Collection, CrossTenantReader, Daemon, Reader, Session, StoreBuilder};

/// An open store. A clone is another handle on the same one.
///
/// `B` is the backend it was opened with: the searches that its store implements
/// are the ones a session has methods for.
pub struct Store<B> {
    runtime: Arc<Runtime>,
    backend: PhantomData<fn() -> B>,
}

impl<B: Backend> Store<B> {
    /// Begins a store at `backend`: declare its types, then open it.
    pub fn builder(backend: B) -> StoreBuilder<B> {
        StoreBuilder::new(backend)
    }

    pub(crate) fn new(runtime: Runtime) -> Self {
        Self {
            runtime: Arc::new(runtime),
            backend: PhantomData,
        }
    }

    fn context(&self, whose: Whose) -> Context {
        Context {
            runtime: self.runtime.clone(),
            whose,
        }
    }

    /// A unit of work for one tenant, which reads as well.
    ///
    /// A name that no tenant can have (an empty one) is reported by the first
    /// read, or by commit.
    pub fn session(&self, tenant: impl Into<String>) -> Session<B> {
        Session::new(self.context(Whose::Tenant(tenant.into())))
    }

    /// Reads of one tenant's documents, which cannot write.
    pub fn reader(&self, tenant: impl Into<String>) -> Reader<B> {
        Reader::new(self.context(Whose::Tenant(tenant.into())))
    }

    /// A unit of work for types that have no tenants; one that has is refused.
    pub fn session_without_tenant(&self) -> Session<B> {
        Session::new(self.context(Whose::NoTenant))
    }

    /// Reads of types that have no tenants; one that has is refused.
    pub fn reader_without_tenant(&self) -> Reader<B> {
        Reader::new(self.context(Whose::NoTenant))
    }

    /// Reads across every tenant: for operators, never for one of them. Matches
    /// carry their tenant, and orders end in tenant, then id.
    pub fn across_tenants(&self) -> CrossTenantReader<B> {
        CrossTenantReader::new(self.context(Whose::EveryTenant))
    }

    /// The collection of a declared type.
    ///
    /// # Errors
    ///
    /// `UnknownCollection` where the builder was not told of `D`.
    pub fn collection<D: Document>(&self) -> Result<Collection<D>> {
        self.runtime.typed()
    }

    /// The collection called `name`, its documents as JSON fields.
    ///
    /// # Errors
    ///
    /// `UnknownCollection` where the builder was not told of such a type.
    pub fn dynamic(&self, name: &str) -> Result<Collection<DynamicRecord>> {
        self.runtime.named(name).map(Collection::new)
    }

    /// What runs the store's projections, and tells how far they have come.
    pub fn daemon(&self) -> Daemon
    where
        B::Store: EventStorage,
    {
        Daemon::new(self.runtime.clone())
    }

    /// What the store can do.
    pub fn capabilities(&self) -> &Capabilities {
        self.runtime.engine.capabilities()
    }

    /// What opening changed in the database, by type, in the order declared.
    pub fn reports(&self) -> impl ExactSizeIterator<Item = (&str, &SchemaReport)> {
        let opened = self.runtime.opened.iter();
        opened.map(|opened| (opened.schema.name(), &opened.report))
    }
}

impl<B> Clone for Store<B> {
    fn clone(&self) -> Self {
        Self {
            runtime: self.runtime.clone(),
            backend: PhantomData,
        }
    }
}

impl<B> fmt::Debug for Store<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.runtime.opened.iter().map(|o| o.schema.name());
        f.debug_struct("Store")
            .field("store", &self.runtime.engine.capabilities().store)
            .field("types", &names.collect::<Vec<_>>())
            .finish()
    }
}
