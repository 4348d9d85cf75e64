//! How a store is opened.

use std::future::Future;

use crate::{Engine, Result, Storage};

/// A store's address and settings: what `Store::builder` takes.
///
/// `Store` names the type that keeps documents; the searches it implements
/// decide which methods a session has. An [`Engine`] is its own backend, for
/// callers who choose the store at run time: every method is there, and what the
/// store lacks is refused by name.
pub trait Backend: Send + 'static {
    /// The store behind the address.
    type Store: Storage;

    /// Opens it.
    fn connect(self) -> impl Future<Output = Result<Engine>> + Send;
}

impl Backend for Engine {
    type Store = Engine;

    async fn connect(self) -> Result<Engine> {
        Ok(self)
    }
}
