//! Tenants, and the implicit predicates of a request.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Error, ErrorKind, Result};

/// The name of a tenant: never empty, and free of U+0000.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TenantId(String);

impl TenantId {
    /// A tenant's name, refused when it is empty or holds U+0000.
    ///
    /// # Errors
    ///
    /// `Tenancy`.
    pub fn new(name: impl Into<String>) -> Result<Self> {
        let name = name.into();
        if name.is_empty() {
            return Err(Error::new(
                ErrorKind::Tenancy,
                "a tenant's name is empty; give it one, or open a session without a tenant",
            ));
        }
        if name.contains('\0') {
            return Err(Error::new(
                ErrorKind::Tenancy,
                format!("the tenant name {name:?} holds U+0000, which no store keeps"),
            ));
        }
        Ok(Self(name))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TenantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl TryFrom<String> for TenantId {
    type Error = Error;
    fn try_from(name: String) -> Result<Self> {
        Self::new(name)
    }
}

impl TryFrom<&str> for TenantId {
    type Error = Error;
    fn try_from(name: &str) -> Result<Self> {
        Self::new(name)
    }
}

impl From<TenantId> for String {
    fn from(tenant: TenantId) -> Self {
        tenant.0
    }
}

/// The implicit predicates of a request. The runtime composes it; stores apply it, always.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// Whose documents are seen.
    pub tenants: TenantScope,
    /// Whether soft-deleted documents are seen.
    pub deleted: DeletedScope,
}

impl Scope {
    /// Live documents of `tenants`.
    pub fn live(tenants: TenantScope) -> Self {
        Self {
            tenants,
            deleted: DeletedScope::Hidden,
        }
    }
}

/// Whose documents a request sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TenantScope {
    /// The document type has no tenants.
    Untenanted,
    /// The documents of one tenant.
    One(TenantId),
    /// The documents of every tenant; matches carry theirs.
    All,
}

/// Which documents a request sees of those that were soft-deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DeletedScope {
    /// Live documents only.
    #[default]
    Hidden,
    /// Soft-deleted documents only.
    Only,
    /// Both.
    Included,
}
