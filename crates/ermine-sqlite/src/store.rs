//! The store: requests go to the thread that serves them.

mod events;
mod search;

use std::fmt;
use std::sync::Arc;

use ermine_core::{
    Answer, Capabilities, Committed, Declaration, Feature, Read, Receipt, Result, SchemaMode,
    SchemaReport, Storage, Ticket, Unit,
};
use tokio::sync::{Semaphore, oneshot};

use crate::catalog;
use crate::error::closed;
use crate::events::Watch;
use crate::layout::Known;
use crate::read::{Readers, Snapshot, answer};
use crate::sqlite::{Location, Sqlite};
use crate::vector::Cache;
use crate::write::{Alone, Queue, UnitWork, Work, Writer};

/// How many units may wait for the writer; more wait where they are.
const QUEUED_UNITS: usize = 1_024;

/// An open SQLite database.
///
/// It is reached through the [`Engine`](ermine_core::Engine) that
/// [`Sqlite::connect`](ermine_core::Backend::connect) returns. Dropping the last
/// handle writes what was committed, closes the connections and empties the
/// write-ahead log into the file.
pub struct SqliteStore {
    capabilities: Capabilities,
    known: Arc<Known>,
    cache: Arc<Cache>,
    waiting: Arc<Semaphore>,
    // Dropped in this order: what reads first, so that the writer's checkpoint meets
    // none of it, and the file last, since a temporary one is removed with it.
    watch: Watch,
    readers: Readers,
    writer: Writer,
    location: Arc<Location>,
}

impl SqliteStore {
    pub(crate) async fn open(sqlite: &Sqlite) -> Result<Self> {
        let location = Arc::new(sqlite.location()?);
        let settings = sqlite.settings();
        let known = Arc::new(Known::default());
        let watch = Watch::new(Arc::clone(&location));
        let writer = Writer::start(
            Arc::clone(&location),
            Arc::clone(&known),
            settings,
            watch.reached(),
        )
        .await?;
        let mut capabilities = Capabilities::all("SQLite");
        capabilities.features.push(Feature::Events);
        Ok(Self {
            capabilities,
            known,
            cache: Arc::default(),
            waiting: Arc::new(Semaphore::new(QUEUED_UNITS)),
            watch,
            readers: Readers::start(&location, settings.readers)?,
            writer,
            location,
        })
    }

    fn queue(&self) -> &Queue {
        self.writer.queue()
    }
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore")
            .field("file", &self.location.path())
            .finish_non_exhaustive()
    }
}

impl Storage for SqliteStore {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    async fn ensure(&self, declaration: &Declaration, mode: SchemaMode) -> Result<SchemaReport> {
        let (reply, answer) = oneshot::channel();
        let work = Alone::Ensure {
            declaration: Box::new(declaration.clone()),
            mode,
            reply,
        };
        self.queue().push(Work::Alone(work)).map_err(|_| closed())?;
        answer.await.unwrap_or_else(|_| Err(closed()))
    }

    async fn declarations(&self) -> Result<Vec<Declaration>> {
        self.readers
            .run(|connection| {
                let snapshot = Snapshot::begin(connection)?;
                catalog::declarations(snapshot.connection())
            })
            .await
    }

    async fn read(&self, reads: &[Read]) -> Result<Vec<Answer>> {
        let (reads, known) = (reads.to_vec(), Arc::clone(&self.known));
        self.readers
            .run(move |connection| {
                let snapshot = Snapshot::begin(connection)?;
                reads
                    .iter()
                    .map(|read| answer(&snapshot, &known, read))
                    .collect()
            })
            .await
    }

    async fn commit(&self, unit: &Unit) -> Result<Committed> {
        let (receipt, ticket) = Receipt::new();
        self.submit(unit, ticket).await?;
        receipt.await
    }

    async fn submit(&self, unit: &Unit, ticket: Ticket) -> Result<()> {
        let waiting = Arc::clone(&self.waiting).acquire_owned();
        let work = UnitWork {
            place: waiting.await.map_err(|_| closed())?,
            unit: unit.clone(),
            ticket,
        };
        self.queue().push(Work::Unit(work)).map_err(|_| closed())
    }
}
