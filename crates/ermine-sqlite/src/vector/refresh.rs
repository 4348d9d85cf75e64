//! Bringing cached blocks up to a snapshot, in that snapshot.

use std::collections::HashMap;
use std::sync::Arc;

use ermine_core::{Result, Vector};
use ermine_scan::{Blocks, Edit, Row as BlockRow, RowState};
use rusqlite::{Connection, OptionalExtension, Row};

use super::cache::{Index, Watermark};
use crate::catalog::VECTOR_LOG;
use crate::error::storage;
use crate::layout::{Layout, VectorTable};

/// Where a field's table stands in the snapshot.
pub(super) fn watermark(connection: &Connection, table: &VectorTable) -> Result<Watermark> {
    connection
        .prepare_cached(&format!(
            "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = ?1), 0),
                    coalesce((SELECT seq FROM sqlite_sequence WHERE name = '{VECTOR_LOG}'), 0)"
        ))
        .and_then(|mut statement| {
            statement.query_row([&table.name], |row| {
                Ok(Watermark {
                    slot: row.get(0)?,
                    log: row.get(1)?,
                })
            })
        })
        .map_err(storage("reading where the vectors stand"))
}

/// The rows as they are in the snapshot: those of before with what changed since,
/// or all of them, where there is no before or the log no longer reaches it.
pub(super) fn bring_up(
    connection: &Connection,
    layout: &Layout,
    table: &VectorTable,
    before: Option<(Watermark, Index)>,
    now: Watermark,
) -> Result<Index> {
    let doing = format!("reading the vectors of {}", table.table);
    let failed = || storage(&doing);
    let before = match before {
        Some((then, index)) if then.slot <= now.slot && reaches(connection, then, now)? => {
            Some((then, index))
        }
        _ => None,
    };
    let (after_slot, changed, index) = match before {
        Some((then, index)) => (then.slot, logged(connection, table, then)?, index),
        None => {
            let dimensions = layout
                .schema
                .vectors()
                .iter()
                .zip(&layout.vectors)
                .find(|(_, t)| t.index == table.index)
                .map_or(0, |(field, _)| field.dimensions());
            let empty = Index {
                blocks: Blocks::new(dimensions),
                tenants: Arc::default(),
            };
            (i64::MIN, Vec::new(), empty)
        }
    };
    let mut filling = Filling {
        tenants: index.tenants,
        edit: index.blocks.edit(),
    };
    let mut one = connection.prepare_cached(&table.row_of).map_err(failed())?;
    for slot in changed.into_iter().filter(|slot| *slot <= after_slot) {
        let there = one
            .query_row([slot], |row| filling.put(row))
            .optional()
            .map_err(failed())?;
        if there.is_none() {
            filling.edit.remove(slot);
        }
    }
    let mut new = connection
        .prepare_cached(&table.rows_after)
        .map_err(failed())?;
    let mut rows = new.query([after_slot]).map_err(failed())?;
    while let Some(row) = rows.next().map_err(failed())? {
        filling.put(row).map_err(failed())?;
    }
    Ok(Index {
        blocks: filling.edit.finish(),
        tenants: filling.tenants,
    })
}

/// Whether the log still holds everything after `then`.
fn reaches(connection: &Connection, then: Watermark, now: Watermark) -> Result<bool> {
    if then.log == now.log {
        return Ok(true);
    }
    let first: Option<i64> = connection
        .prepare_cached(&format!("SELECT min(seq) FROM {VECTOR_LOG}"))
        .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
        .map_err(storage("reading the log of vector changes"))?;
    Ok(first.is_some_and(|first| first <= then.log + 1) && then.log < now.log)
}

fn logged(connection: &Connection, table: &VectorTable, then: Watermark) -> Result<Vec<i64>> {
    connection
        .prepare_cached(&format!(
            "SELECT DISTINCT slot FROM {VECTOR_LOG} WHERE seq > ?1 AND ix = ?2"
        ))
        .and_then(|mut statement| {
            statement
                .query_map([then.log, table.index], |row| row.get(0))?
                .collect()
        })
        .map_err(storage("reading the log of vector changes"))
}

struct Filling {
    tenants: Arc<HashMap<String, u32>>,
    edit: Edit,
}

impl Filling {
    /// Puts a row where it holds a vector, and takes it out where it does not: a
    /// damaged one is a candidate of no search (rule V6).
    fn put(&mut self, row: &Row<'_>) -> rusqlite::Result<()> {
        let slot = row.get(0)?;
        let stored = row.get_ref(2)?;
        let Some(vector) = stored.as_blob().ok().and_then(Vector::from_le_bytes) else {
            self.edit.remove(slot);
            return Ok(());
        };
        let tenant: String = row.get(3)?;
        let next = u32::try_from(self.tenants.len()).unwrap_or(u32::MAX);
        let tenant = match self.tenants.get(&tenant) {
            Some(number) => *number,
            None => *Arc::make_mut(&mut self.tenants)
                .entry(tenant)
                .or_insert(next),
        };
        self.edit.put(BlockRow {
            slot,
            doc: row.get(1)?,
            tenant,
            state: if row.get(4)? {
                RowState::SoftDeleted
            } else {
                RowState::Live
            },
            vector: vector.as_slice(),
        });
        Ok(())
    }
}
