//! What a store brings to be held to the facts.

use ermine_core::{BoxFuture, Engine, Id, Result, TenantId};

/// A store under test.
///
/// Nothing here is optional: what a store cannot offer is an error, and the
/// facts that need it fail. A fact is never skipped.
pub trait Fixture: Send + Sync {
    /// The store's name, as it stands in tests and tables.
    fn name(&self) -> &'static str;

    /// A new database with nothing in it.
    fn fresh(&self) -> BoxFuture<'_, Result<Box<dyn Database>>>;
}

/// One database of a store under test; it goes when this value goes.
pub trait Database: Send + Sync {
    /// Opens it, as another process would, or the same one later.
    fn connect(&self) -> BoxFuture<'_, Result<Engine>>;

    /// Puts bytes (the elements, as little-endian `f32`) in place of a stored vector
    /// behind the store's back, as plain SQL could. An error where the document has
    /// no vector stored.
    fn overwrite_vector<'a>(
        &'a self,
        document: Place<'a>,
        field: &'a str,
        bytes: &'a [u8],
    ) -> BoxFuture<'a, Result<Overwriting>>;

    /// Puts text in place of a stored body behind the store's back. Refused
    /// where there is no such document.
    fn overwrite_body<'a>(
        &'a self,
        document: Place<'a>,
        body: &'a str,
    ) -> BoxFuture<'a, Result<()>>;
}

/// What became of an attempt to spoil a stored vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overwriting {
    /// The bytes are stored now.
    Done,
    /// The database itself refused the bytes, whoever sends them: what was stored is
    /// stored still.
    RefusedByTheDatabase,
}

/// Where a document is.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The name of its type.
    pub collection: &'a str,
    /// Whose it is; `None` for a type without tenants.
    pub tenant: Option<&'a TenantId>,
    /// Its id.
    pub id: &'a Id,
}
