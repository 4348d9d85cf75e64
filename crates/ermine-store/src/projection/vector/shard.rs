//! A vector projection of an open store.

use std::collections::HashMap;
use std::sync::Arc;

use ermine_core::{
    ApplyError, BoxFuture, Document, DocumentId, EmbeddingPlan, NeededStream, PlannedRow, Position,
    Result, RowKey, ShardName, StoredEvent, VectorProjectionMap, VectorWrite,
};

use super::ProjectedRow;
use super::settings::Constructor;
use crate::collection::Opened;
use crate::events::{Made, Part, Projected, heads};
use crate::projection::declare::Bound;
use crate::projection::documents::{check_id, context_of, document_row};
use crate::projection::erased::{Input, Projection, ProjectionError, RebuiltBy};
use crate::projection::guarded::guarded;
use crate::projection::keys::{RowId, row_tenant};
use crate::projection::rows::{Cause, Change, Row};
use crate::unit_of_work::EmbeddedField;

/// How many streams are begun to be read in one call.
const STREAMS_AT_ONCE: usize = 100;

pub(super) struct VectorShard<D: Document> {
    name: String,
    version: u32,
    shard: ShardName,
    opened: Arc<Opened>,
    field: usize,
    map: VectorProjectionMap<D::Id>,
    /// `None` where only a vector of somebody else's documents is written.
    document: Option<Arc<Constructor<D>>>,
}

impl<D: Document> VectorShard<D> {
    pub(super) fn new(
        bound: Bound,
        map: VectorProjectionMap<D::Id>,
        document: Option<Arc<Constructor<D>>>,
    ) -> Result<Self> {
        Ok(Self {
            opened: bound.opened()?,
            name: bound.name,
            version: bound.version,
            shard: bound.shard,
            field: bound.field,
            map,
            document,
        })
    }

    async fn rows(&self, input: Input<'_>) -> Result<Vec<Row>, ProjectionError> {
        let mut plan = EmbeddingPlan::new(&self.map);
        for event in input.events {
            plan.add(event)?;
        }
        if let Some(only) = input.only {
            plan.retain(|key, position| only.is_last(&row_id(key), position));
        }
        let streams = plan.streams();
        for some in streams.chunks(STREAMS_AT_ONCE) {
            let context = context_of(input.runtime, &None);
            let ranges = some.iter().map(NeededStream::range);
            let heads = heads(&context, ranges).await?;
            for (stream, mut head) in some.iter().zip(heads) {
                let mut fold = plan.fold(stream)?;
                loop {
                    let page = head.pages.next_stored().await?;
                    let Some(page) = page else { break };
                    for event in page {
                        let types = &input.runtime.events.types;
                        let event = types
                            .current(event)
                            .map_err(|error| last_of(input.events, stream, error))?;
                        fold.push(&event)?;
                    }
                }
                plan.apply_fold(fold)?;
            }
        }
        let planned = plan.into_rows()?;
        let mut rows = Vec::new();
        let events: HashMap<Position, &StoredEvent> =
            input.events.iter().map(|e| (e.position, e)).collect();
        for row in planned.rows() {
            let Some(event) = events.get(&row.position) else {
                continue;
            };
            let made = self.row(input, row, event);
            rows.push(made.map_err(|error| ApplyError::new(event, error))?);
        }
        for key in planned.deletions() {
            // Nothing can have been written where nothing could be.
            if let Ok(tenant) = row_tenant(&self.opened.schema, &key.tenant) {
                rows.push(self.deletion(tenant, key));
            }
        }
        Ok(rows)
    }

    fn row(&self, input: Input<'_>, row: &PlannedRow<D::Id>, event: &StoredEvent) -> Result<Row> {
        let cause = Cause {
            tenant: event.tenant.clone(),
            stream: event.stream.clone(),
            position: event.position,
        };
        let field = EmbeddedField {
            place: self.field,
            text: row.text.to_string(),
            hash: row.hash.clone(),
            ready: None,
        };
        let Some(document) = &self.document else {
            return Ok(Row {
                key: RowId {
                    tenant: row_tenant(&self.opened.schema, &row.key.tenant)?,
                    id: row.key.id.to_id(),
                },
                opened: self.opened.clone(),
                cause: Some(cause),
                change: Change::Vector(field),
            });
        };
        let projected = ProjectedRow {
            id: row.key.id.clone(),
            text: &row.text,
            event: event.envelope(()),
        };
        let document: D = guarded(|| Ok(document(&projected)))?;
        check_id(&self.opened, &row.key.id.to_id(), &document.id().to_id())?;
        let mut row = document_row(input.runtime, &self.opened, &document, cause)?;
        if let Change::Put { put, embedded } = &mut row.change {
            if let Some(write) = put.vectors.get_mut(self.field) {
                *write = VectorWrite::Keep;
            }
            embedded.push(field);
        }
        Ok(row)
    }

    fn deletion(&self, tenant: Option<ermine_core::TenantId>, key: &RowKey<D::Id>) -> Row {
        Row {
            opened: self.opened.clone(),
            key: RowId {
                tenant,
                id: key.id.to_id(),
            },
            cause: None,
            change: match self.document {
                Some(_) => Change::Delete,
                None => Change::ClearVector(self.field),
            },
        }
    }
}

fn row_id<I: DocumentId>(key: &RowKey<I>) -> RowId {
    RowId {
        tenant: key.tenant.clone(),
        id: key.id.to_id(),
    }
}

/// A stream cannot be folded: the error is that of the last event that needs it.
fn last_of(
    events: &[StoredEvent],
    stream: &NeededStream,
    error: ermine_core::Error,
) -> ProjectionError {
    let of_stream =
        |event: &&StoredEvent| event.stream == stream.stream && event.tenant == stream.tenant;
    match events.iter().rfind(of_stream) {
        Some(event) => ApplyError::new(event, error).into(),
        None => error.into(),
    }
}

impl<D: Document> Projected for VectorShard<D> {
    fn feeds(&self, opened: &Opened, field: usize) -> bool {
        opened.schema.name() == self.opened.schema.name() && field == self.field
    }

    fn made_of(&self, events: &[StoredEvent]) -> Result<Vec<Made>> {
        let mut made = Vec::new();
        for event in events {
            // Of an event that could not be applied, nothing was made.
            for row in self.rows_of(event).unwrap_or_default() {
                let Ok(tenant) = row_tenant(&self.opened.schema, &row.tenant) else {
                    continue;
                };
                made.push(Made {
                    opened: self.opened.clone(),
                    tenant,
                    id: row.id,
                    part: match self.document {
                        Some(_) => Part::Document,
                        None => Part::Vectors(vec![self.field]),
                    },
                });
            }
        }
        Ok(made)
    }
}

impl<D: Document> Projection for VectorShard<D> {
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
        Some(self.map.event_types())
    }

    fn opened(&self) -> Option<&Arc<Opened>> {
        Some(&self.opened)
    }

    fn vector_only(&self) -> Option<usize> {
        self.document.is_none().then_some(self.field)
    }

    fn rebuilt_by(&self) -> RebuiltBy {
        RebuiltBy::LastWords
    }

    fn rows_of(&self, event: &StoredEvent) -> Result<Vec<RowId>> {
        let ids = self.map.ids_of(event)?.into_iter();
        let row = |id: D::Id| RowId {
            tenant: event.tenant.clone(),
            id: id.to_id(),
        };
        Ok(ids.map(row).collect())
    }

    fn project<'a>(&'a self, input: Input<'a>) -> BoxFuture<'a, Result<Vec<Row>, ProjectionError>> {
        Box::pin(self.rows(input))
    }
}
