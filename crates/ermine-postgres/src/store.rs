//! The store: requests go to its own threads.

mod events;
mod search;

use std::fmt;
use std::sync::Arc;

use ermine_core::{
    Answer, Capabilities, Committed, Declaration, Feature, Read, Receipt, Result, SchemaMode,
    SchemaReport, Storage, Ticket, Unit,
};
use futures_util::future::try_join_all;

use crate::Postgres;
use crate::events::Watch;
use crate::extension::Extension;
use crate::layout::Known;
use crate::pool::Pool;
use crate::progress::Reporting;
use crate::read::{Snapshot, again_if_lost, answer};
use crate::runtime::Threads;
use crate::write::Sealer;
use crate::{catalog, ensure, write};

/// An open PostgreSQL database.
///
/// It is reached through the [`Engine`](ermine_core::Engine) that
/// [`Postgres::connect`](ermine_core::Backend::connect) returns. It has threads of its
/// own, so any async runtime may call it, or none. Dropping the last handle closes the
/// connections; a unit that is being written then ends as the server decides.
pub struct PostgresStore {
    capabilities: Capabilities,
    inner: Arc<Inner>,
    threads: Threads,
}

/// What calls work with.
struct Inner {
    pool: Pool,
    extension: Extension,
    known: Known,
    sealer: Arc<Sealer>,
    reporting: Reporting,
    watch: Watch,
}

impl PostgresStore {
    pub(crate) async fn open(postgres: &Postgres) -> Result<Self> {
        let threads = Threads::start()?;
        let pool = Pool::new(postgres, threads.handle()?.clone())?;
        let schema = postgres.schema_name().map(str::to_owned);
        let opening = pool.clone();
        let extension = threads
            .run(async move {
                let lease = opening.get().await?;
                let extension = Extension::find(lease.client()?).await?;
                catalog::prepare(lease.client()?, schema.as_deref()).await?;
                lease.give_back();
                Ok(extension)
            })
            .await?;
        let watch = Watch::new(postgres, pool.clone(), threads.handle()?.clone())?;
        let sealer = Arc::new(Sealer::new(pool.clone(), threads.handle()?.clone()));
        let mut capabilities = Capabilities::all("PostgreSQL");
        capabilities
            .features
            .extend([Feature::ApproximateSearch, Feature::Events]);
        Ok(Self {
            capabilities,
            inner: Arc::new(Inner {
                pool,
                extension,
                known: Known::default(),
                sealer,
                reporting: postgres.reporting(),
                watch,
            }),
            threads,
        })
    }
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresStore").finish_non_exhaustive()
    }
}

impl Storage for PostgresStore {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    async fn ensure(&self, declaration: &Declaration, mode: SchemaMode) -> Result<SchemaReport> {
        let (inner, declaration) = (Arc::clone(&self.inner), declaration.clone());
        self.threads
            .run_to_the_end(async move {
                let Inner {
                    pool,
                    extension,
                    reporting,
                    ..
                } = &*inner;
                let (layout, report) =
                    ensure::ensure(pool, extension, &declaration, mode, reporting).await?;
                inner.known.insert(layout);
                let layout = inner.known.get(&declaration.schema)?;
                inner.sealer.seal_what_is_due(layout);
                Ok(report)
            })
            .await
    }

    async fn declarations(&self) -> Result<Vec<Declaration>> {
        let inner = Arc::clone(&self.inner);
        self.threads
            .run(async move {
                again_if_lost(|| async {
                    let snapshot = Snapshot::begin(&inner.pool).await?;
                    let declarations = catalog::declarations(snapshot.client()?).await;
                    snapshot.end(declarations)
                })
                .await
            })
            .await
    }

    async fn read(&self, reads: &[Read]) -> Result<Vec<Answer>> {
        let (inner, reads) = (Arc::clone(&self.inner), reads.to_vec());
        self.threads
            .run(async move {
                again_if_lost(|| async {
                    let snapshot = Snapshot::begin(&inner.pool).await?;
                    let answered = reads
                        .iter()
                        .map(|read| answer(&snapshot, &inner.known, read));
                    let answers = try_join_all(answered).await;
                    snapshot.end(answers)
                })
                .await
            })
            .await
    }

    async fn commit(&self, unit: &Unit) -> Result<Committed> {
        let (receipt, ticket) = Receipt::new();
        self.submit(unit, ticket).await?;
        receipt.await
    }

    /// A unit that waits for a connection is not taken yet.
    async fn submit(&self, unit: &Unit, ticket: Ticket) -> Result<()> {
        let (inner, unit) = (Arc::clone(&self.inner), unit.clone());
        let waiting = inner.pool.clone();
        let lease = self.threads.run(async move { waiting.get().await }).await?;
        self.threads.go_on(async move {
            let Some(taken) = ticket.take() else {
                lease.give_back();
                return;
            };
            let written =
                write::commit(lease, &inner.pool, &inner.known, &inner.sealer, &unit).await;
            if written
                .as_ref()
                .is_ok_and(|committed| committed.token.position().is_some())
            {
                inner.watch.wake();
            }
            taken.settle(written);
        })
    }
}
