//! Connections, and who holds them.

use std::ops::Deref;

use deadpool_postgres::{Manager, ManagerConfig, Object, Pool as Deadpool, RecyclingMethod};
use ermine_core::{Error, ErrorKind, Result};
use futures_util::FutureExt;
use tokio::runtime::Handle;
use tokio_postgres::Client;

use crate::Postgres;
use crate::error::{connecting, storage};
use crate::tls::Tls;

/// The pool. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Pool {
    pool: Deadpool,
    tls: Tls,
    runtime: Handle,
}

impl Pool {
    pub(crate) fn new(postgres: &Postgres, runtime: Handle) -> Result<Self> {
        let config = postgres.config()?;
        let tls = postgres.tls(config.get_ssl_mode())?;
        let manager = Manager::from_config(
            config,
            Tls::clone(&tls),
            ManagerConfig {
                // A connection known to be closed is replaced; another is trusted.
                recycling_method: RecyclingMethod::Fast,
            },
        );
        let pool = Deadpool::builder(manager)
            .max_size(postgres.most_connections())
            .build()
            .map_err(|e| {
                Error::new(ErrorKind::Storage, "the pool of connections cannot be made")
                    .with_source(e)
            })?;
        Ok(Self { pool, tls, runtime })
    }

    /// A connection, outside any transaction.
    pub(crate) async fn get(&self) -> Result<Lease> {
        let object = self.pool.get().await.map_err(connecting)?;
        Ok(Lease {
            object: Some(object),
            tls: Tls::clone(&self.tls),
            runtime: self.runtime.clone(),
        })
    }
}

/// A connection held for the length of a call. One that is not given back is in the
/// middle of something: its statement is interrupted and it is closed.
pub(crate) struct Lease {
    object: Option<Object>,
    tls: Tls,
    runtime: Handle,
}

impl Lease {
    pub(crate) fn client(&self) -> Result<&Client> {
        match &self.object {
            Some(object) => Ok(object.deref().deref()),
            None => Err(Error::new(
                ErrorKind::Closed,
                "the connection was given back already; please report this",
            )),
        }
    }

    /// Ends a read-only transaction, without waiting for the answer: there is nothing
    /// to be lost, and whatever is sent next comes after it.
    pub(crate) fn give_back_after_reading(mut self) {
        if let Some(object) = self.object.take() {
            let sent = object.batch_execute("COMMIT").now_or_never();
            if let Some(Err(_)) = sent {
                // Closed already: the pool will notice.
            }
        }
    }

    /// Gives back a connection whose transaction has ended.
    pub(crate) fn give_back(mut self) {
        self.object = None;
    }

    /// Rolls back what is written, and gives the connection back.
    pub(crate) async fn roll_back(self) -> Result<()> {
        let rolled_back = self.client()?.batch_execute("ROLLBACK").await;
        if rolled_back.is_ok() {
            self.give_back();
        }
        rolled_back.map_err(storage("rolling back"))
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(object) = self.object.take() else {
            return;
        };
        let client = Object::take(object);
        let interrupt = client.cancel_token();
        drop(client);
        let tls = Tls::clone(&self.tls);
        self.runtime.spawn(async move {
            // At worst the statement runs to its end, and nobody reads it.
            let _ = interrupt.cancel_query(tls).await;
        });
    }
}
