//! Documents that only statistics see: how a store counts what it should not.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use ermine_core::{
    DeleteMode, Deletion, Id, Op, Put, PutMode, StoredRecord, TenantId, VectorWrite,
};

use super::mutation::Mutation::{self, *};

const MARK: &str = "ghost of ";

/// The texts of the documents that were written, to be haunted by.
#[derive(Default)]
pub(super) struct Ghosts {
    written: Mutex<HashMap<(Option<TenantId>, Id), Put>>,
}

impl Ghosts {
    /// The ghosts that an operation leaves behind.
    pub(super) fn of(&self, mutation: Mutation, op: &Op) -> Option<Op> {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        match op {
            Op::Put(put) => {
                written.insert((put.tenant.clone(), put.id.clone()), Put::clone(put));
                let tenant = put.tenant.as_ref()?;
                let other = if tenant.as_str() == "a" { "b" } else { "a" };
                let other = TenantId::new(other).ok();
                (mutation == StatisticsAcrossTenants).then(|| ghost(put, other))
            }
            Op::Delete {
                schema,
                tenant,
                id,
                mode: DeleteMode::Declared,
            } if mutation == StatisticsOfDeletedToo && schema.deletion() == Deletion::Soft => {
                let put = written.get(&(tenant.clone(), id.clone()))?;
                Some(ghost(put, tenant.clone()))
            }
            _ => None,
        }
    }
}

fn ghost(put: &Put, tenant: Option<TenantId>) -> Op {
    Op::Put(Box::new(Put {
        tenant,
        id: Id::Text(format!("{MARK}{}", put.id)),
        mode: PutMode::Store,
        columns: vec![None; put.columns.len()],
        vectors: vec![VectorWrite::Clear { hash: None }; put.vectors.len()],
        ..put.clone()
    }))
}

pub(super) fn is_ghost(record: &StoredRecord) -> bool {
    matches!(&record.id, Id::Text(id) if id.starts_with(MARK))
}
