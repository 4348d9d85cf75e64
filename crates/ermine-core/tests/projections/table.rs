//! A table of one's own, and pages applied to it.

use std::collections::BTreeMap;

use ermine_core::{
    EmbeddedRows, EmbeddingPlan, Result, RowKey, StoredEvent, StoredVectorState, Vector,
    VectorProjectionMap,
};
use uuid::Uuid;

use crate::memory::Log;
use crate::provider::{Noting, now};

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    pub(crate) text: String,
    pub(crate) hash: String,
    pub(crate) vector: Option<Vector>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Table(pub(crate) BTreeMap<RowKey<Uuid>, Row>);

impl Table {
    pub(crate) fn states(&self, keys: &[RowKey<Uuid>]) -> Vec<Option<StoredVectorState>> {
        let state = |row: &Row| StoredVectorState {
            hash: Some(row.hash.clone()),
            present: row.vector.is_some(),
        };
        keys.iter().map(|key| self.0.get(key).map(state)).collect()
    }

    pub(crate) fn write(&mut self, rows: EmbeddedRows<Uuid>) {
        for write in rows.writes {
            let row = Row {
                text: write.row.text.to_string(),
                hash: write.row.hash,
                vector: write.vector,
            };
            self.0.insert(write.row.key, row);
        }
        for key in rows.deletions {
            self.0.remove(&key);
        }
    }

    /// Folds, embeds and writes one page.
    pub(crate) fn apply(
        &mut self,
        map: &VectorProjectionMap<Uuid>,
        log: &Log,
        page: &[StoredEvent],
        provider: &Noting,
    ) -> Result<()> {
        let plan = EmbeddingPlan::build(map, page)?;
        self.apply_plan(plan, log, provider)
    }

    pub(crate) fn apply_plan(
        &mut self,
        mut plan: EmbeddingPlan<'_, Uuid>,
        log: &Log,
        provider: &Noting,
    ) -> Result<()> {
        for stream in plan.streams() {
            plan.apply_stream(&stream, &log.stream(&stream.tenant, &stream.stream))?;
        }
        let rows = now(plan.resolve(provider, async |keys| Ok(self.states(&keys))))?;
        self.write(rows);
        Ok(())
    }

    /// The texts by id, of rows of no tenant.
    pub(crate) fn texts(&self) -> Vec<(u128, &str)> {
        let rows = self.0.iter();
        rows.map(|(key, row)| (key.id.as_u128(), row.text.as_str()))
            .collect()
    }
}
