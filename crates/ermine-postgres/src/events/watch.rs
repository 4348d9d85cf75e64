//! Who waits for events.

use std::sync::Arc;
use std::time::Duration;

use ermine_core::{Position, Result};
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, timeout};

use super::bell::Bell;
use super::order::Settled;
use crate::Postgres;
use crate::pool::Pool;
use crate::read::again_if_lost;

/// How soon is looked again, at first and at last.
const SOONEST: Duration = Duration::from_millis(5);
const LATEST: Duration = Duration::from_millis(250);

/// Wakes those who wait when this process commits events, or another says that it did;
/// what nobody told of is found by looking.
pub(crate) struct Watch {
    pool: Pool,
    pub(crate) settled: Settled,
    told: Arc<Notify>,
    bell: Bell,
}

impl Watch {
    pub(crate) fn new(postgres: &Postgres, pool: Pool, runtime: Handle) -> Result<Self> {
        let config = postgres.config()?;
        let tls = postgres.tls(config.get_ssl_mode())?;
        Ok(Self {
            bell: Bell::new(pool.clone(), config, tls, runtime),
            pool,
            settled: Settled::default(),
            told: Arc::default(),
        })
    }

    /// Events have been committed.
    pub(crate) fn wake(&self) {
        self.told.notify_waiters();
        self.bell.ring();
    }

    /// Returns once events after `after` may be read, or after `at_most`. A look that has
    /// begun is not cut short, which would cost its connection.
    pub(crate) async fn wait(&self, after: Position, at_most: Duration) -> Result<()> {
        self.bell.listen(&self.told);
        let begun = Instant::now();
        let mut pause = SOONEST;
        loop {
            let told = self.told.notified();
            let left = at_most.saturating_sub(begun.elapsed());
            if self.is_settled(after).await? || left.is_zero() {
                return Ok(());
            }
            if timeout(pause.min(left), told).await.is_ok() {
                // Whoever registered earlier may hold the new events back a little.
                pause = SOONEST;
                sleep(Duration::from_millis(1)).await;
            } else {
                pause = (pause * 2).min(LATEST);
            }
        }
    }

    async fn is_settled(&self, after: Position) -> Result<bool> {
        again_if_lost(|| async {
            let lease = self.pool.get().await?;
            let order = self.settled.order(lease.client()?).await;
            lease.give_back();
            Ok(order?.mark > after)
        })
        .await
    }
}
