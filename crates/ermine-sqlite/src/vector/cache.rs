//! What is kept in memory of each vector field.
//!
//! A snapshot is begun, and a field's rows brought up to it, under the field's lock.
//! Snapshots are monotone in the order in which they begin, so what is kept never is
//! ahead of the snapshot it is brought up to, and never has to go back.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ermine_core::Result;
use ermine_scan::Blocks;
use rusqlite::Connection;

use super::refresh;
use crate::layout::{Layout, VectorTable};
use crate::read::Snapshot;

/// The rows of one vector field at one snapshot.
#[derive(Debug, Clone)]
pub(crate) struct Index {
    pub(crate) blocks: Blocks,
    /// The number of each stored tenant in the blocks.
    pub(crate) tenants: Arc<HashMap<String, u32>>,
}

/// A snapshot's place in the history of a field's table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Watermark {
    /// The highest slot given out.
    pub(super) slot: i64,
    /// The last entry of the log of changes.
    pub(super) log: i64,
}

/// A field's rows, and where they stand; `None` until it is searched.
type Cached = Option<(Watermark, Index)>;

/// The blocks of the fields that were searched, by the field's number.
#[derive(Debug, Default)]
pub(crate) struct Cache(Mutex<HashMap<i64, Arc<Mutex<Cached>>>>);

impl Cache {
    /// Begins a snapshot, and returns the blocks of these fields as they are in it.
    ///
    /// A call that is interrupted leaves what it has read, for the next to go on from.
    pub(crate) fn snapshot<'c>(
        &self,
        connection: &'c mut Connection,
        fields: &[(&Layout, &VectorTable)],
    ) -> Result<(Snapshot<'c>, Vec<Index>)> {
        let cells: BTreeMap<i64, Arc<Mutex<Cached>>> = fields
            .iter()
            .map(|(_, table)| (table.index, self.cell(table.index)))
            .collect();
        // In the order of their numbers, so that no two calls wait for each other.
        let mut locked: BTreeMap<i64, MutexGuard<'_, Cached>> = cells
            .iter()
            .map(|(number, cell)| (*number, lock(cell)))
            .collect();
        let snapshot = Snapshot::begin(connection)?;
        let mut indexes = Vec::with_capacity(fields.len());
        for (layout, table) in fields {
            if let Some(cached) = locked.get_mut(&table.index) {
                indexes.push(bring_up(snapshot.connection(), layout, table, cached)?);
            }
        }
        drop(locked);
        Ok((snapshot, indexes))
    }

    fn cell(&self, field: i64) -> Arc<Mutex<Cached>> {
        Arc::clone(lock(&self.0).entry(field).or_default())
    }
}

fn bring_up(
    connection: &Connection,
    layout: &Layout,
    table: &VectorTable,
    cached: &mut Cached,
) -> Result<Index> {
    let now = refresh::watermark(connection, table)?;
    // Taken out, so that rows nobody else holds are changed in place; after a panic
    // the field is read anew.
    let brought_up = match cached.take() {
        Some((then, index)) if then == now => {
            let brought_up = index.clone();
            *cached = Some((then, index));
            return Ok(brought_up);
        }
        before => refresh::bring_up(connection, layout, table, before, now),
    };
    let index = brought_up.index.clone();
    *cached = Some((brought_up.reached, brought_up.index));
    brought_up.ended.map(|()| index)
}

/// A cell is whole at all times: what is being changed is taken out of it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
