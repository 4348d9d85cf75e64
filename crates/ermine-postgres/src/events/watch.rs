//! Who waits for events.

use std::time::Duration;

use ermine_core::{Position, Result};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, timeout};

use super::order::mark;
use crate::pool::Pool;
use crate::read::again_if_lost;

/// How soon is looked again, at first and at last.
const SOONEST: Duration = Duration::from_millis(5);
const LATEST: Duration = Duration::from_millis(250);

/// Wakes those who wait when this process commits events; others' are found by looking.
#[derive(Default)]
pub(crate) struct Watch(Notify);

impl Watch {
    /// Events have been committed.
    pub(crate) fn wake(&self) {
        self.0.notify_waiters();
    }

    /// Returns once events after `after` may be read, or after `at_most`. A look that has
    /// begun is not cut short, which would cost its connection.
    pub(crate) async fn wait(&self, pool: &Pool, after: Position, at_most: Duration) -> Result<()> {
        let begun = Instant::now();
        let mut pause = SOONEST;
        loop {
            let woken = self.0.notified();
            let left = at_most.saturating_sub(begun.elapsed());
            if is_settled(pool, after).await? || left.is_zero() {
                return Ok(());
            }
            if timeout(pause.min(left), woken).await.is_ok() {
                // Whoever registered earlier may hold the new events back a little.
                pause = SOONEST;
                sleep(Duration::from_millis(1)).await;
            } else {
                pause = (pause * 2).min(LATEST);
            }
        }
    }
}

async fn is_settled(pool: &Pool, after: Position) -> Result<bool> {
    again_if_lost(|| async {
        let lease = pool.get().await?;
        let mark = mark(lease.client()?).await;
        lease.give_back();
        Ok(mark? > after)
    })
    .await
}
