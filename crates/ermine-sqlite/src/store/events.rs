//! The store as one that keeps events.

use std::time::Duration;

use ermine_core::{EventFilter, EventPage, EventStorage, LeaseOp, LeaseState, Position, Result};
use tokio::sync::oneshot;

use super::SqliteStore;
use crate::error::closed;
use crate::events::page;
use crate::read::Snapshot;
use crate::write::{Alone, Work};

impl EventStorage for SqliteStore {
    async fn events(
        &self,
        after: Position,
        filter: &EventFilter,
        limit: usize,
    ) -> Result<EventPage> {
        let filter = filter.clone();
        self.readers
            .run(move |connection| {
                let snapshot = Snapshot::begin(connection)?;
                page(snapshot.connection(), after, &filter, limit)
            })
            .await
    }

    async fn lease(&self, op: &LeaseOp) -> Result<LeaseState> {
        let (reply, answer) = oneshot::channel();
        let op = op.clone();
        let work = Work::Alone(Alone::Lease { op, reply });
        self.queue().push(work).map_err(|_| closed())?;
        answer.await.unwrap_or_else(|_| Err(closed()))
    }

    async fn wait(&self, after: Position, at_most: Duration) -> Result<()> {
        self.watch.wait(after, at_most).await
    }
}
