//! Removing what no event makes.

use std::sync::Arc;

use ermine_core::{
    Answer, DeletedScope, Embedding, Include, Page, Query, Read, Result, Scope, Storage,
    StoredRecord, StreamId, Target, Tenancy, TenantScope,
};

use super::super::halt::Halt;
use super::super::worker::{Guard, Worker};
use crate::collection::Opened;
use crate::projection::{Change, LastWords, Row, RowId};
use crate::reader::{answer_records, broken_answer};

/// How many documents are looked at in one read.
const DOCUMENTS: usize = 500;

impl Worker {
    /// Removes the rows on which no event has a word.
    pub(super) async fn remove_unknown(
        &mut self,
        guard: Guard,
        last: &LastWords,
    ) -> Result<(), Halt> {
        let Some(opened) = self.projection.opened().cloned() else {
            return Ok(());
        };
        let mut offset = 0;
        loop {
            let page = self.documents(&opened, offset).await?;
            let count = page.len();
            let mut rows = Vec::new();
            for stored in page {
                let has_vector = |field: usize| {
                    let embedding = stored.embeddings.get(field);
                    matches!(embedding, Some(Embedding::Present(_)))
                };
                let change = match self.projection.vector_only() {
                    Some(field) if has_vector(field) => Change::ClearVector(field),
                    Some(_) => continue,
                    None => Change::Delete,
                };
                let key = RowId {
                    tenant: stored.tenant,
                    id: stored.id,
                };
                if !last.knows(&key) {
                    rows.push(Row {
                        opened: opened.clone(),
                        key,
                        cause: None,
                        change,
                    });
                }
            }
            if self.projection.vector_only().is_some() {
                rows = self.not_archived(rows).await?;
            }
            let removed = match self.projection.vector_only() {
                // The documents stay.
                Some(_) => 0,
                None => rows.len(),
            };
            if !rows.is_empty() {
                self.write(guard, guard.from, rows, Vec::new()).await?;
            }
            if count < DOCUMENTS {
                return Ok(());
            }
            offset += count - removed;
        }
    }

    async fn documents(&self, opened: &Arc<Opened>, offset: usize) -> Result<Vec<StoredRecord>> {
        let tenants = match opened.schema.tenancy() {
            Tenancy::None => TenantScope::Untenanted,
            _ => TenantScope::All,
        };
        let query = Read::Query(Query {
            target: Target {
                schema: opened.schema.clone(),
                scope: Scope {
                    tenants,
                    deleted: DeletedScope::Included,
                },
                filter: None,
            },
            order: Vec::new(),
            page: Page {
                limit: DOCUMENTS,
                offset,
            },
            include: Include {
                vectors: self.projection.vector_only().is_some(),
                at_least: None,
            },
        });
        match self.runtime.engine.read(&[query]).await?.pop() {
            Some(answer) => answer_records(answer),
            None => Err(broken_answer()),
        }
    }

    /// A snapshot whose stream is archived keeps its vector: readers of all events pass
    /// the stream by, and the document is still there.
    async fn not_archived(&self, rows: Vec<Row>) -> Result<Vec<Row>> {
        let mut reads = Vec::new();
        for row in &rows {
            reads.push(Read::StreamState {
                tenant: row.key.tenant.clone(),
                stream: StreamId::try_from(row.key.id.clone())?,
            });
        }
        if reads.is_empty() {
            return Ok(rows);
        }
        let answers = self.runtime.engine.read(&reads).await?;
        let open = rows
            .into_iter()
            .zip(answers)
            .filter(|(_, answer)| !matches!(answer, Answer::Stream(Some(state)) if state.archived));
        Ok(open.map(|(row, _)| row).collect())
    }
}
