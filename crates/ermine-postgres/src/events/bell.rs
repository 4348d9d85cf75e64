//! Telling other processes that events were committed, and being told.
//!
//! Notifying within the append would serialise commits, so it is done after them, by one
//! task of a process, once for all that were committed meanwhile. Nothing depends on it:
//! a notification that is lost is made up for by looking.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ermine_core::Result;
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::time::sleep;
use tokio_postgres::{AsyncMessage, Config, Error as DriverError};

use crate::pool::Pool;
use crate::tls::Tls;

/// How long at least between two notifications of a process.
const PACE: Duration = Duration::from_millis(5);

/// How soon a connection that was lost is made again.
const AGAIN: Duration = Duration::from_secs(1);

/// One name for each schema of the database.
const NOTIFY: &str =
    "SELECT pg_notify('ermine_events_' || to_hex(hashtext(coalesce(current_schema(), ''))), '')";

const LISTEN: &str = "DO $$ BEGIN EXECUTE format('LISTEN %I',
 'ermine_events_' || to_hex(hashtext(coalesce(current_schema(), '')))); END $$";

/// Rings in other processes, and for them in this one.
pub(super) struct Bell {
    pool: Pool,
    config: Config,
    tls: Tls,
    runtime: Handle,
    committed: Arc<Notify>,
    rings: AtomicBool,
    listens: AtomicBool,
}

impl Bell {
    pub(super) fn new(pool: Pool, config: Config, tls: Tls, runtime: Handle) -> Self {
        Self {
            pool,
            config,
            tls,
            runtime,
            committed: Arc::default(),
            rings: AtomicBool::new(false),
            listens: AtomicBool::new(false),
        }
    }

    /// Tells the other processes, soon.
    pub(super) fn ring(&self) {
        self.committed.notify_one();
        if self.rings.swap(true, Ordering::Relaxed) {
            return;
        }
        let (pool, committed) = (self.pool.clone(), Arc::clone(&self.committed));
        self.runtime.spawn(async move {
            loop {
                committed.notified().await;
                let _ = notify(&pool).await;
                sleep(PACE).await;
            }
        });
    }

    /// Lets `heard` be told whenever another process rings, from now on.
    pub(super) fn listen(&self, heard: &Arc<Notify>) {
        if self.listens.swap(true, Ordering::Relaxed) {
            return;
        }
        let (config, tls) = (self.config.clone(), Tls::clone(&self.tls));
        let heard = Arc::clone(heard);
        self.runtime.spawn(async move {
            loop {
                let _ = listen(&config, &tls, &heard).await;
                sleep(AGAIN).await;
            }
        });
    }
}

async fn notify(pool: &Pool) -> Result<()> {
    let lease = pool.get().await?;
    let notified = lease.client()?.batch_execute(NOTIFY).await;
    if notified.is_ok() {
        lease.give_back();
    }
    Ok(())
}

/// Listens on a connection of its own, until that is lost.
async fn listen(
    config: &Config,
    tls: &Tls,
    heard: &Notify,
) -> std::result::Result<(), DriverError> {
    let (client, mut connection) = config.connect(Tls::clone(tls)).await?;
    let listening = client.batch_execute(LISTEN);
    let hears = async {
        while let Some(message) = poll_fn(|context| connection.poll_message(context)).await {
            if let AsyncMessage::Notification(_) = message? {
                heard.notify_waiters();
            }
        }
        Ok(())
    };
    // The client is held until the connection ends, or does not listen.
    let ended = futures_util::future::try_join(listening, hears).await;
    drop(client);
    ended.map(|_| ())
}
