//! Asynchronous snapshots: documents that are folded from their streams after the commit.

use std::collections::BTreeMap;
use std::sync::Arc;

use ermine_core::{
    ApplyError, BoxFuture, Id, Result, ShardName, StoredEvent, StreamId, StreamRange, TenantId,
};

use super::declare::{Bound, DeclaredProjection, DocumentType, Feeds};
use super::documents::{context_of, parts_row};
use super::erased::{Input, Projection, ProjectionError, RebuiltBy};
use super::guarded::guarded;
use super::keys::{RowId, row_tenant};
use super::rows::{Cause, Change, Row};
use crate::collection::Opened;
use crate::events::{DeclaredEvents, Made, Part, Projected, Snapshot, SnapshotType, heads};

/// How many streams are begun to be read in one call.
const STREAMS_AT_ONCE: usize = 100;

/// A snapshot that the daemon writes.
pub(crate) struct AsyncSnapshot {
    name: String,
    version: u32,
    shard: ShardName,
    snapshot: Snapshot,
    kind: SnapshotType,
}

impl AsyncSnapshot {
    pub(crate) fn declare(
        name: String,
        kind: SnapshotType,
        events: DeclaredEvents,
    ) -> DeclaredProjection {
        DeclaredProjection {
            name,
            version: 1,
            document: Some(DocumentType {
                rust: kind.rust,
                schema: kind.schema,
            }),
            events: vec![events],
            event_types: Some(kind.event_types().to_vec()),
            feeds: Feeds::Documents,
            mistake: (kind.schema)().and_then(|schema| kind.check(&schema)).err(),
            bind: Box::new(move |bound: Bound| {
                let snapshot = Snapshot::new(kind, bound.opened()?);
                Ok(Arc::new(Self {
                    name: bound.name,
                    version: bound.version,
                    shard: bound.shard,
                    snapshot,
                    kind,
                }))
            }),
        }
    }

    /// Folds each stream from its beginning to the last of its events that is given.
    async fn rows(&self, input: Input<'_>) -> Result<Vec<Row>, ProjectionError> {
        let mut last: BTreeMap<(&Option<TenantId>, &StreamId), &StoredEvent> = BTreeMap::new();
        for event in input.events {
            if !self.snapshot.folds(&event.event.event_type) {
                continue;
            }
            let fits = self
                .snapshot
                .check_fits(event.tenant.as_ref(), &event.stream);
            fits.map_err(|error| ApplyError::new(event, error))?;
            last.insert((&event.tenant, &event.stream), event);
        }
        if let Some(only) = input.only {
            last.retain(|_, event| only.is_last(&row_of(event), event.position));
        }
        let mut rows = Vec::new();
        let last: Vec<&StoredEvent> = last.into_values().collect();
        for some in last.chunks(STREAMS_AT_ONCE) {
            let context = context_of(input.runtime, &None);
            let ranges = some.iter().map(|event| StreamRange {
                to: Some(event.version),
                ..StreamRange::whole(event.tenant.clone(), event.stream.clone())
            });
            let heads = heads(&context, ranges).await?;
            for (event, mut head) in some.iter().zip(heads) {
                let mut folding = self.snapshot.folding();
                let mut any = false;
                while let Some(page) = head.pages.next_stored().await? {
                    any = true;
                    for one in page {
                        let folded = input.runtime.events.types.current(one);
                        let folded = folded.and_then(|one| guarded(|| folding.fold(&one)));
                        folded.map_err(|error| ApplyError::new(event, error))?;
                    }
                }
                let parts = match any {
                    true => guarded(|| self.snapshot.parts(&*folding, &event.stream)),
                    false => Ok(None),
                };
                let cause = Cause {
                    tenant: event.tenant.clone(),
                    stream: event.stream.clone(),
                    position: event.position,
                };
                let opened = &self.snapshot.opened;
                let row = parts.and_then(|parts| match parts {
                    Some(parts) => parts_row(input.runtime, opened, parts, cause),
                    None => Ok(Row {
                        opened: opened.clone(),
                        key: RowId {
                            tenant: row_tenant(&opened.schema, &event.tenant)?,
                            id: Id::from(event.stream.clone()),
                        },
                        cause: None,
                        change: Change::Delete,
                    }),
                });
                rows.push(row.map_err(|error| ApplyError::new(event, error))?);
            }
        }
        Ok(rows)
    }
}

fn row_of(event: &StoredEvent) -> RowId {
    RowId {
        tenant: event.tenant.clone(),
        id: Id::from(event.stream.clone()),
    }
}

impl Projected for AsyncSnapshot {
    fn feeds(&self, _: &Opened, _: usize) -> bool {
        false
    }

    fn made_of(&self, events: &[StoredEvent]) -> Result<Vec<Made>> {
        let folded = events.iter().rfind(|event| {
            self.snapshot.folds(&event.event.event_type)
                && self.snapshot.fits(event.tenant.as_ref(), &event.stream)
        });
        let made = folded.map(|event| Made {
            opened: self.snapshot.opened.clone(),
            tenant: event.tenant.clone(),
            id: Id::from(event.stream.clone()),
            part: Part::Document,
        });
        Ok(made.into_iter().collect())
    }
}

impl Projection for AsyncSnapshot {
    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> u32 {
        self.version
    }

    fn shard(&self) -> &ShardName {
        &self.shard
    }

    fn event_types(&self) -> Option<Vec<&'static str>> {
        Some(self.kind.event_types().to_vec())
    }

    fn opened(&self) -> Option<&Arc<Opened>> {
        Some(&self.snapshot.opened)
    }

    fn rebuilt_by(&self) -> RebuiltBy {
        RebuiltBy::LastWords
    }

    fn rows_of(&self, event: &StoredEvent) -> Result<Vec<RowId>> {
        if !self.snapshot.folds(&event.event.event_type) {
            return Ok(Vec::new());
        }
        Ok(vec![row_of(event)])
    }

    fn project<'a>(&'a self, input: Input<'a>) -> BoxFuture<'a, Result<Vec<Row>, ProjectionError>> {
        Box::pin(self.rows(input))
    }
}
