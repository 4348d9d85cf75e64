//! The store as one that keeps events.

use std::sync::Arc;
use std::time::Duration;

use ermine_core::{EventFilter, EventPage, EventStorage, LeaseOp, LeaseState, Position, Result};

use super::PostgresStore;
use crate::events;
use crate::read::again_if_lost;

impl EventStorage for PostgresStore {
    async fn events(
        &self,
        after: Position,
        filter: &EventFilter,
        limit: usize,
    ) -> Result<EventPage> {
        let (inner, filter) = (Arc::clone(&self.inner), filter.clone());
        self.threads
            .run(async move {
                again_if_lost(|| async {
                    let lease = inner.pool.get().await?;
                    let settled = &inner.watch.settled;
                    let page = events::page(lease.client()?, settled, after, &filter, limit).await;
                    lease.give_back();
                    page
                })
                .await
            })
            .await
    }

    async fn lease(&self, op: &LeaseOp) -> Result<LeaseState> {
        let (inner, op) = (Arc::clone(&self.inner), op.clone());
        self.threads
            .run(async move { again_if_lost(|| events::lease(&inner.pool, &op)).await })
            .await
    }

    async fn wait(&self, after: Position, at_most: Duration) -> Result<()> {
        let inner = Arc::clone(&self.inner);
        self.threads
            .run(async move { inner.watch.wait(after, at_most).await })
            .await
    }
}
