//! The runtime: a store with its types erased, compiled once.

use std::any::{TypeId, type_name};
use std::collections::HashMap;
use std::sync::Arc;

use ermine_core::{
    DeletedScope, DynEmbeddingProvider, Engine, Error, ErrorKind, Expr, Result, Schema, Scope,
    Target, Tenancy, TenantId, TenantScope,
};

use crate::collection::{Collection, Opened};
use crate::daemon::Shards;
use crate::events::Events;

/// An open store.
pub(crate) struct Runtime {
    pub(crate) engine: Engine,
    pub(crate) opened: Vec<Arc<Opened>>,
    pub(crate) types: HashMap<TypeId, Arc<Opened>>,
    pub(crate) providers: Vec<Arc<dyn DynEmbeddingProvider>>,
    pub(crate) events: Events,
    pub(crate) shards: Shards,
}

impl Runtime {
    /// The collection of the document type `R`; refused where it was not declared.
    pub(crate) fn typed<R: 'static>(&self) -> Result<Collection<R>> {
        match self.types.get(&TypeId::of::<R>()) {
            Some(opened) => Ok(Collection::new(opened.clone())),
            None => Err(Error::new(
                ErrorKind::UnknownCollection,
                format!(
                    "the store was not told of `{0}`; declare it when the store is built: `.document::<{0}>()`",
                    type_name::<R>()
                ),
            )),
        }
    }

    /// The collection called `name`.
    pub(crate) fn named(&self, name: &str) -> Result<Arc<Opened>> {
        let found = self.opened.iter().find(|o| o.schema.name() == name);
        found.cloned().ok_or_else(|| {
            let known: Vec<_> = self.opened.iter().map(|o| o.schema.name()).collect();
            let known = if known.is_empty() {
                "none".to_owned()
            } else {
                known.join(", ")
            };
            Error::new(
                ErrorKind::UnknownCollection,
                format!("the store was not told of a type named {name:?}; it knows {known}"),
            )
        })
    }

    /// The provider that embeds for a vector field.
    pub(crate) fn provider(
        &self,
        opened: &Opened,
        field: usize,
    ) -> Option<&dyn DynEmbeddingProvider> {
        let place = (*opened.providers.get(field)?)?;
        self.providers.get(place).map(|provider| &**provider)
    }
}

/// Whose documents a session sees. Names are judged when they are first used.
#[derive(Debug, Clone)]
pub(crate) enum Whose {
    Tenant(String),
    NoTenant,
    EveryTenant,
}

/// A store and whose documents are seen: what every query and session carries.
#[derive(Clone)]
pub struct Context {
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) whose: Whose,
}

impl Context {
    /// The implicit predicate of a type (rule D5): the one place it is made.
    pub(crate) fn tenants(&self, schema: &Schema) -> Result<TenantScope> {
        let conjoined = schema.tenancy() != Tenancy::None;
        match &self.whose {
            Whose::Tenant(name) => {
                let tenant = TenantId::new(name.as_str())?;
                Ok(if conjoined {
                    TenantScope::One(tenant)
                } else {
                    TenantScope::Untenanted
                })
            }
            Whose::NoTenant if conjoined => Err(Error::new(
                ErrorKind::Tenancy,
                format!(
                    "`{schema}` belongs to tenants and this session has none; open one with a tenant's name"
                ),
            )),
            Whose::EveryTenant if conjoined => Ok(TenantScope::All),
            Whose::NoTenant | Whose::EveryTenant => Ok(TenantScope::Untenanted),
        }
    }

    /// The tenant that writes of a type carry.
    pub(crate) fn tenant(&self, opened: &Arc<Opened>) -> Result<Option<TenantId>> {
        self.check_own(opened)?;
        match self.tenants(&opened.schema)? {
            TenantScope::One(tenant) => Ok(Some(tenant)),
            TenantScope::Untenanted => Ok(None),
            TenantScope::All => Err(Error::new(
                ErrorKind::Tenancy,
                format!("`{}` is written by one tenant at a time", opened.schema),
            )),
        }
    }

    /// Whose streams are read and appended to.
    pub(crate) fn stream_tenant(&self) -> Result<Option<TenantId>> {
        match &self.whose {
            Whose::Tenant(name) => TenantId::new(name.as_str()).map(Some),
            Whose::NoTenant => Ok(None),
            Whose::EveryTenant => Err(Error::new(
                ErrorKind::Tenancy,
                "a stream is one tenant's, or of none; ask its reader",
            )),
        }
    }

    /// The tenant that writes of a type by a session's caller carry; refused where
    /// the type is fed by its streams.
    pub(crate) fn tenant_of_write(&self, opened: &Arc<Opened>) -> Result<Option<TenantId>> {
        let snapshots = &self.runtime.events.snapshots;
        if snapshots.iter().any(|s| Arc::ptr_eq(&s.opened, opened)) {
            return Err(Error::new(
                ErrorKind::Unsupported,
                format!(
                    "`{}` is the snapshot of its streams, and is written by their events only; append to the stream, or tombstone it",
                    opened.schema
                ),
            ));
        }
        let projections = &self.runtime.events.projections;
        if let Some(projection) = projections
            .iter()
            .find(|projection| projection.makes(opened))
        {
            return Err(Error::new(
                ErrorKind::Unsupported,
                format!(
                    "the documents of `{}` are made by the projection {:?}, and written by it only; append events",
                    opened.schema,
                    projection.name()
                ),
            ));
        }
        self.tenant(opened)
    }

    /// Where a read of a collection looks.
    pub(crate) fn target(
        &self,
        opened: &Arc<Opened>,
        filter: Option<Expr>,
        deleted: DeletedScope,
    ) -> Result<Target> {
        self.check_own(opened)?;
        Ok(Target {
            schema: opened.schema.clone(),
            scope: Scope {
                tenants: self.tenants(&opened.schema)?,
                deleted,
            },
            filter,
        })
    }

    /// Refuses a handle that another store gave.
    fn check_own(&self, opened: &Arc<Opened>) -> Result<()> {
        if self
            .runtime
            .opened
            .iter()
            .any(|own| Arc::ptr_eq(own, opened))
        {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::UnknownCollection,
            format!(
                "the handle on `{}` belongs to another store; ask this one for its own",
                opened.schema
            ),
        ))
    }
}

impl Runtime {
    /// The refusal of a search by text in a field that nothing embeds for (rule V15).
    pub(crate) fn no_provider(&self, schema: &Schema, field: usize) -> Error {
        let field = schema.vectors().get(field);
        let (name, dimensions) = field.map_or(("", 0), |f| (f.name(), f.dimensions()));
        Error::new(
            ErrorKind::NoProvider,
            format!(
                "`{schema}.{name}` has no embedding provider, so a text cannot search it; open the store with one of {dimensions} dimensions, or search by a vector"
            ),
        )
    }
}

impl Context {
    /// Refuses a tenant's name that none can have, whatever is done with it.
    pub(crate) fn check_name(&self) -> Result<()> {
        match &self.whose {
            Whose::Tenant(name) => TenantId::new(name.as_str()).map(drop),
            Whose::NoTenant | Whose::EveryTenant => Ok(()),
        }
    }
}
