//! What is kept in memory of each vector field.
//!
//! A snapshot is begun, and the cache brought up to it, under one lock. Snapshots
//! are monotone in the order in which they begin, so the cache never is ahead of
//! the snapshot it is brought up to, and never has to go back.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

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

/// The blocks of the fields that were searched, by the field's number.
#[derive(Debug, Default)]
pub(crate) struct Cache(Mutex<HashMap<i64, (Watermark, Index)>>);

impl Cache {
    /// Begins a snapshot, and returns the blocks of these fields as they are in it.
    pub(crate) fn snapshot<'c>(
        &self,
        connection: &'c mut Connection,
        fields: &[(&Layout, &VectorTable)],
    ) -> Result<(Snapshot<'c>, Vec<Index>)> {
        if fields.is_empty() {
            return Ok((Snapshot::begin(connection)?, Vec::new()));
        }
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let snapshot = Snapshot::begin(connection)?;
        let indexes = fields
            .iter()
            .map(|(layout, table)| {
                let connection = snapshot.connection();
                let now = refresh::watermark(connection, table)?;
                // Cloned, which shares its rows: bringing it up may fail, and is
                // interrupted where the caller has gone. The next search then begins
                // from what there was.
                let before = match cached.get(&table.index) {
                    Some((then, index)) if *then == now => return Ok(index.clone()),
                    before => before.cloned(),
                };
                let index = refresh::bring_up(connection, layout, table, before, now)?;
                cached.insert(table.index, (now, index.clone()));
                Ok(index)
            })
            .collect::<Result<_>>()?;
        drop(cached);
        Ok((snapshot, indexes))
    }
}
