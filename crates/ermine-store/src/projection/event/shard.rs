//! An event projection of an open store.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError};

use ermine_core::{
    ApplyError, BoxFuture, DeletedScope, Document, DocumentId, Id, Include, Read, Result,
    ShardName, StoredEvent, TenantId,
};

use super::{Apply, Entry, ProjectedDocuments};
use crate::collection::Opened;
use crate::events::{Made, Part, Projected};
use crate::projection::declare::Bound;
use crate::projection::documents::{check_id, context_of, document_row};
use crate::projection::erased::{FoldFrom, Folded, Input, Projection, ProjectionError, RebuiltBy};
use crate::projection::guarded::guarded;
use crate::projection::keys::{RowId, row_tenant};
use crate::projection::rows::{Cause, Change, Row};
use crate::runtime::Runtime;

pub(super) struct EventShard<D: Document> {
    name: String,
    version: u32,
    shard: ShardName,
    opened: Arc<Opened>,
    event_types: Vec<&'static str>,
    entries: Vec<Entry<D>>,
}

/// Documents as they are after some events; the cause is missing while nothing happened.
type States<D> = BTreeMap<RowId, (Option<D>, Option<Cause>)>;

impl<D: Document> EventShard<D> {
    pub(super) fn new(
        bound: Bound,
        event_types: Vec<&'static str>,
        entries: Vec<Entry<D>>,
    ) -> Result<Self> {
        Ok(Self {
            opened: bound.opened()?,
            name: bound.name,
            version: bound.version,
            shard: bound.shard,
            event_types,
            entries,
        })
    }

    fn entries_of<'a>(&'a self, event: &'a StoredEvent) -> impl Iterator<Item = &'a Apply<D>> {
        let entries = self.entries.iter();
        entries
            .filter(|entry| entry.event_type == event.event.event_type)
            .map(|entry| &entry.apply)
    }

    fn key(&self, event: &StoredEvent, id: Id) -> Result<RowId> {
        Ok(RowId {
            tenant: row_tenant(&self.opened.schema, &event.tenant)?,
            id,
        })
    }

    /// The rows that are folded, and so read first.
    fn folded_rows(&self, events: &[StoredEvent]) -> Result<BTreeSet<RowId>, ApplyError> {
        let mut rows = BTreeSet::new();
        for event in events {
            for apply in self.entries_of(event) {
                if let Apply::Fold { id, .. } = apply {
                    let row = guarded(|| id(event)).and_then(|id| self.key(event, id));
                    rows.insert(row.map_err(|error| ApplyError::new(event, error))?);
                }
            }
        }
        Ok(rows)
    }

    async fn load(&self, input: Input<'_>, rows: BTreeSet<RowId>) -> Result<States<D>> {
        let mut by_tenant: BTreeMap<Option<TenantId>, Vec<Id>> = BTreeMap::new();
        for row in rows {
            by_tenant.entry(row.tenant).or_default().push(row.id);
        }
        let mut states = States::new();
        for (tenant, ids) in by_tenant {
            let context = context_of(input.runtime, &tenant);
            let get = Read::Get {
                target: context.target(&self.opened, None, DeletedScope::Hidden)?,
                ids,
                include: Include {
                    vectors: true,
                    ..Include::default()
                },
            };
            for stored in context.records(get).await? {
                let row = RowId {
                    tenant: tenant.clone(),
                    id: stored.id.clone(),
                };
                let document = D::from_stored(&self.opened.schema, stored)?;
                states.insert(row, (Some(document), None));
            }
        }
        Ok(states)
    }

    fn apply(&self, states: &mut States<D>, event: &StoredEvent) -> Result<()> {
        let cause = Cause {
            tenant: event.tenant.clone(),
            stream: event.stream.clone(),
            position: event.position,
        };
        // An event that fails half-way through its entries leaves nothing behind: the
        // whole page is thrown away.
        for apply in self.entries_of(event) {
            match apply {
                Apply::Documents(make) => {
                    let mut made = ProjectedDocuments {
                        changes: Vec::new(),
                    };
                    guarded(|| make(event, &mut made))?;
                    for (id, document) in made.changes {
                        let row = self.key(event, id)?;
                        states.insert(row, (document, Some(cause.clone())));
                    }
                }
                Apply::Fold { id, fold } => {
                    let row = self.key(event, guarded(|| id(event))?)?;
                    let before = states.remove(&row).and_then(|(document, _)| document);
                    let after = guarded(|| fold(before, event))?;
                    if let Some(after) = &after {
                        check_id(&self.opened, &row.id, &after.id().to_id())?;
                    }
                    states.insert(row, (after, Some(cause.clone())));
                }
            }
        }
        Ok(())
    }

    fn row(
        &self,
        runtime: &Arc<Runtime>,
        key: RowId,
        document: Option<&D>,
        cause: Cause,
    ) -> Result<Row> {
        match document {
            Some(document) => document_row(runtime, &self.opened, document, cause),
            None => Ok(Row {
                opened: self.opened.clone(),
                key,
                cause: None,
                change: Change::Delete,
            }),
        }
    }

    async fn rows(&self, input: Input<'_>) -> Result<Vec<Row>, ProjectionError> {
        let folded = self.folded_rows(input.events)?;
        let mut states = match input.folding {
            FoldFrom::Stored => self.load(input, folded).await?,
            FoldFrom::Memory(memory) => {
                let mut memory = memory.lock().unwrap_or_else(PoisonError::into_inner);
                take::<D>(&mut memory, folded)
            }
        };
        for event in input.events {
            self.apply(&mut states, event)
                .map_err(|error| ApplyError::new(event, error))?;
        }
        let changed = states
            .into_iter()
            .filter_map(|(key, (document, cause))| Some((key, document, cause?)));
        if let FoldFrom::Memory(memory) = input.folding {
            let mut memory = memory.lock().unwrap_or_else(PoisonError::into_inner);
            for (key, document, cause) in changed {
                memory.insert(key, (Box::new(document), cause));
            }
            return Ok(Vec::new());
        }
        let mut rows = Vec::new();
        for (key, document, cause) in changed {
            if let Some(only) = input.only
                && !only.is_last(&key, cause.position)
            {
                continue;
            }
            let event = input.events.iter().find(|e| e.position == cause.position);
            let row = self.row(input.runtime, key, document.as_ref(), cause);
            match (row, event) {
                (Ok(row), _) => rows.push(row),
                (Err(error), Some(event)) => return Err(ApplyError::new(event, error).into()),
                (Err(error), None) => return Err(error.into()),
            }
        }
        Ok(rows)
    }
}

/// Takes rows out of the memory of a rebuild.
fn take<D: Document>(memory: &mut Folded, rows: BTreeSet<RowId>) -> States<D> {
    let taken = rows.into_iter().filter_map(|row| {
        let (document, cause) = memory.remove(&row)?;
        let document = document.downcast::<Option<D>>().ok()?;
        // What an earlier page made of it stays, though nothing in this one happens to it.
        Some((row, (*document, Some(cause))))
    });
    taken.collect()
}

impl<D: Document> Projected for EventShard<D> {
    fn feeds(&self, _: &Opened, _: usize) -> bool {
        false
    }

    fn made_of(&self, events: &[StoredEvent]) -> Result<Vec<Made>> {
        let mut made = Vec::new();
        for event in events {
            // Of an event that could not be applied, nothing was made.
            for row in self.rows_of(event).unwrap_or_default() {
                made.push(Made {
                    opened: self.opened.clone(),
                    tenant: row.tenant,
                    id: row.id,
                    part: Part::Document,
                });
            }
        }
        Ok(made)
    }
}

impl<D: Document> Projection for EventShard<D> {
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
        Some(self.event_types.clone())
    }

    fn opened(&self) -> Option<&Arc<Opened>> {
        Some(&self.opened)
    }

    fn rebuilt_by(&self) -> RebuiltBy {
        let mut entries = self.entries.iter();
        if entries.any(|entry| matches!(entry.apply, Apply::Fold { .. })) {
            RebuiltBy::Folding
        } else {
            RebuiltBy::LastWords
        }
    }

    fn rows_of(&self, event: &StoredEvent) -> Result<Vec<RowId>> {
        let mut rows = Vec::new();
        for apply in self.entries_of(event) {
            match apply {
                Apply::Documents(make) => {
                    let mut made = ProjectedDocuments::<D> {
                        changes: Vec::new(),
                    };
                    guarded(|| make(event, &mut made))?;
                    for (id, _) in made.changes {
                        rows.push(self.key(event, id)?);
                    }
                }
                Apply::Fold { id, .. } => rows.push(self.key(event, guarded(|| id(event))?)?),
            }
        }
        Ok(rows)
    }

    fn project<'a>(&'a self, input: Input<'a>) -> BoxFuture<'a, Result<Vec<Row>, ProjectionError>> {
        Box::pin(self.rows(input))
    }

    fn folded(&self, runtime: &Arc<Runtime>, folded: Folded) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        for (key, (document, cause)) in folded {
            let document = document.downcast_ref::<Option<D>>();
            let document = document.and_then(Option::as_ref);
            rows.push(self.row(runtime, key, document, cause)?);
        }
        Ok(rows)
    }
}
