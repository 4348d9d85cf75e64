//! The daemon: what keeps projections true to the events.

mod clock;
mod control;
mod draft;
mod embedder;
mod halt;
mod handle;
mod operate;
mod options;
mod page;
mod rebuild;
mod replay;
mod run;
mod runner;
mod shards;
mod signal;
mod status;
mod telemetry;
mod thread;
mod timer;
mod wait;
mod worker;
mod write;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use ermine_core::{Error, ErrorKind, MAX_LIMIT, Result};

pub use self::clock::{Clock, SystemClock};
pub use self::handle::DaemonHandle;
pub use self::rebuild::RebuildEstimate;
pub use self::replay::ReplayReport;
pub(crate) use self::shards::Shards;
pub use self::status::{ShardCounts, ShardStatus};

use self::control::Control;
use self::options::Options;
use crate::ErrorPolicy;
use crate::projection::Projection;
use crate::runtime::Runtime;

/// Runs a store's projections, and tells how far they have come. A clone is another
/// handle on the same one.
///
/// Run one in every process that opens the store: each shard is led by one of them, and
/// by another within ten seconds where that one goes away. Set how it works first:
/// afterwards, what is set concerns the new value only.
///
/// Progress, pauses and parked events are stored, so what is asked here is true whoever
/// leads, and this process need not run anything to ask.
///
/// ```
/// use std::time::Duration;
/// # use ermine_compliance::Reference;
/// # use ermine_core::{Content, Embedding};
/// # use ermine_embed::DeterministicProvider;
/// # use ermine_macros::{Document, Event};
/// # use ermine_store::{Store, VectorProjection};
/// # use serde::{Deserialize, Serialize};
/// # use uuid::Uuid;
/// # #[derive(Event, Serialize, Deserialize)]
/// # #[event(crate = "ermine_core")]
/// # struct NoteWritten { id: Uuid, text: String }
/// # #[derive(Document, Serialize, Deserialize)]
/// # #[document(crate = "ermine_core", name = "note_vectors")]
/// # struct NoteVector {
/// #     #[document(id)] id: Uuid,
/// #     #[document(vector(dimensions = 8))] embedding: Embedding,
/// # }
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// # let notes = VectorProjection::<NoteVector>::map("note-vectors")
/// #     .map(NoteWritten::EVENT, |e| Content::text(&e.data.text), |e| e.data.id)
/// #     .document(|row| NoteVector { id: row.id, embedding: Embedding::NotLoaded });
/// # let store = Store::builder(Reference::new()).events::<NoteWritten>().projection(notes);
/// # let store = store.embeddings(DeterministicProvider::new(8)).open().await?;
/// # let mut session = store.session_without_tenant();
///
/// let daemon = store.daemon().lease(Duration::from_secs(3)).spawn()?;
///
/// session.append("notebook", [NoteWritten { id: Uuid::from_u128(1), text: "pool timeouts".into() }]);
/// session.commit().await?;
/// daemon.catch_up(Duration::from_secs(20)).await?;
///
/// let shard = &daemon.status().await?[0]; // what a health check reads
/// assert!(shard.is_caught_up() && shard.lag_events == 0 && shard.lag.is_zero());
/// assert!(shard.leader.is_some() && shard.paused.is_none() && shard.problem.is_none());
/// assert_eq!((shard.counts.calls, shard.counts.texts), (1, 1));
///
/// daemon.pause("note-vectors", "the model is being moved").await?;
/// let shard = &daemon.status().await?[0];
/// assert_eq!(shard.paused.as_deref(), Some("the model is being moved"));
/// daemon.resume("note-vectors").await?;
/// daemon.stop().await;
/// assert_eq!(daemon.status().await?[0].leader, None);
/// # Ok::<(), ermine_core::Error>(()) }).unwrap();
/// ```
///
/// With the feature `metrics`, lag, progress and costs are told to the recorder of the
/// `metrics` crate: `docs/metrics.md` lists the names.
#[derive(Clone)]
pub struct Daemon {
    runtime: Arc<Runtime>,
    options: Arc<Options>,
    control: Arc<Control>,
}

impl Daemon {
    pub(crate) fn new(runtime: Arc<Runtime>) -> Self {
        Self {
            runtime,
            options: Arc::new(Options::default()),
            control: Arc::default(),
        }
    }

    fn with(mut self, set: impl FnOnce(&mut Options)) -> Self {
        set(Arc::make_mut(&mut self.options));
        self
    }

    /// How many events are applied in a page: 500 unless told. What rows are in the end
    /// does not depend on it.
    #[must_use]
    pub fn page_size(self, events: usize) -> Self {
        self.with(|options| options.page_size = events.clamp(1, MAX_LIMIT))
    }

    /// How long a lease lasts: 6 s unless told. It is renewed at a third of that, and when
    /// a process goes away without giving it up, another takes over after it.
    #[must_use]
    pub fn lease(self, lasts: Duration) -> Self {
        self.with(|options| options.lease = lasts.max(Duration::from_millis(30)))
    }

    /// Who this is, for others who look: unique for each process, and made up unless told.
    #[must_use]
    pub fn holder(self, name: impl Into<String>) -> Self {
        let name = name.into();
        self.with(|options| options.holder = name)
    }

    /// How long it waits at least and at most before it looks for events again: 20 ms and
    /// 1 s unless told. A commit in this process, and on some stores in others, wakes it
    /// earlier.
    #[must_use]
    pub fn polling(self, least: Duration, most: Duration) -> Self {
        self.with(|options| {
            options.poll_least = least.max(Duration::from_millis(1));
            options.poll_most = most.max(options.poll_least);
        })
    }

    /// How long [`stop`](Self::stop) waits for pages that are begun: 10 s unless told.
    #[must_use]
    pub fn drain(self, at_most: Duration) -> Self {
        self.with(|options| options.drain = at_most)
    }

    /// What becomes of events that cannot be applied (rule P10).
    #[must_use]
    pub fn on_error(self, policy: ErrorPolicy) -> Self {
        self.with(|options| options.on_error = policy)
    }

    /// What becomes of events that this projection cannot apply.
    #[must_use]
    pub fn on_error_of(self, projection: impl Into<String>, policy: ErrorPolicy) -> Self {
        let projection = projection.into();
        self.with(|options| {
            options.on_error_of.insert(projection, policy);
        })
    }

    /// How often in a row a call of a provider may fail before the shard is paused, 8
    /// unless told, and how long it waits after the first failure, 500 ms unless told; each
    /// next wait is twice as long, a minute at most. What a provider asks for by
    /// `Retry-After` is waited for however long it is (rule P9).
    #[must_use]
    pub fn provider_attempts(self, attempts: u32, backoff: Duration) -> Self {
        self.with(|options| {
            options.provider_attempts = attempts.max(1);
            options.provider_backoff = backoff;
        })
    }

    /// Another clock than the system's.
    #[must_use]
    pub fn clock(self, clock: impl Clock) -> Self {
        self.with(|options| options.clock = Arc::new(clock))
    }

    fn projections(&self) -> &[Arc<dyn Projection>] {
        &self.runtime.events.projections
    }

    fn projection(&self, name: &str) -> Result<&Arc<dyn Projection>> {
        let mut projections = self.projections().iter();
        projections.find(|p| p.name() == name).ok_or_else(|| {
            let known: Vec<_> = self.projections().iter().map(|p| p.name()).collect();
            Error::new(
                ErrorKind::UnknownCollection,
                format!("the store has no projection named {name:?}; it has {known:?}"),
            )
        })
    }
}

impl fmt::Debug for Daemon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.projections().iter().map(|p| p.name());
        f.debug_struct("Daemon")
            .field("projections", &names.collect::<Vec<_>>())
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
