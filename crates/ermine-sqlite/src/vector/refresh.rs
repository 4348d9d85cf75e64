//! Bringing cached blocks up to a snapshot, in that snapshot.

use std::collections::{HashMap, HashSet};
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

/// Rows, and how far they were brought.
pub(super) struct BroughtUp {
    pub(super) index: Index,
    /// Where they stand: short of the snapshot where an error ended it.
    pub(super) reached: Watermark,
    pub(super) ended: Result<()>,
}

/// The rows as they are in the snapshot: those of before with what changed since,
/// or all of them, where there is no before or the log no longer reaches it.
pub(super) fn bring_up(
    connection: &Connection,
    layout: &Layout,
    table: &VectorTable,
    before: Option<(Watermark, Index)>,
    now: Watermark,
) -> BroughtUp {
    let mut reached = Watermark {
        slot: i64::MIN,
        log: now.log,
    };
    let (before, mut ended) = match before {
        None => (None, Ok(())),
        Some((then, index)) => match reaches(connection, then, now) {
            Ok(true) => (Some((then, index)), Ok(())),
            Ok(false) => (None, Ok(())),
            // Nothing is known: what there was is kept.
            Err(error) => (Some((then, index)), Err(error)),
        },
    };
    let index = match before {
        Some((then, index)) => {
            reached = then;
            index
        }
        None => Index {
            blocks: Blocks::new(dimensions(layout, table)),
            tenants: Arc::default(),
        },
    };
    let mut filling = Filling {
        tenants: index.tenants,
        edit: index.blocks.edit(),
    };
    if ended.is_ok() {
        ended = fill(connection, table, &mut filling, &mut reached, now).map_err(storage(
            format_args!("reading the vectors of {}", table.table),
        ));
    }
    BroughtUp {
        index: Index {
            blocks: filling.edit.finish(),
            tenants: filling.tenants,
        },
        reached,
        ended,
    }
}

/// Applies what the log tells, then reads the slots above. After each row `reached`
/// says where the rows stand: read later than that they may be, and then a later
/// entry of the log, or a higher slot, tells of it again.
fn fill(
    connection: &Connection,
    table: &VectorTable,
    filling: &mut Filling,
    reached: &mut Watermark,
    now: Watermark,
) -> rusqlite::Result<()> {
    let mut one = connection.prepare_cached(&table.row_of)?;
    let mut log = connection.prepare_cached(&format!(
        "SELECT seq, slot FROM {VECTOR_LOG} WHERE seq > ?1 AND ix = ?2 ORDER BY seq"
    ))?;
    let mut entries = log.query([reached.log, table.index])?;
    // In one snapshot a slot is the same however often the log tells of it.
    let mut seen = HashSet::new();
    while let Some(entry) = entries.next()? {
        let (seq, slot) = (entry.get(0)?, entry.get(1)?);
        if seen.insert(slot) {
            let there = one.query_row([slot], |row| filling.put(row)).optional()?;
            if there.is_none() {
                filling.edit.remove(slot);
            }
        }
        reached.log = seq;
    }
    reached.log = now.log;
    let mut new = connection.prepare_cached(&table.rows_after)?;
    let mut rows = new.query([reached.slot])?;
    while let Some(row) = rows.next()? {
        filling.put(row)?;
        // A slot that somebody else chose may be higher than any that was given out.
        reached.slot = now.slot.min(row.get(0)?);
    }
    reached.slot = now.slot;
    Ok(())
}

fn dimensions(layout: &Layout, table: &VectorTable) -> usize {
    let mut fields = layout.schema.vectors().iter().zip(&layout.vectors);
    let field = fields.find(|(_, known)| known.index == table.index);
    field.map_or(0, |(field, _)| field.dimensions())
}

/// Whether the log still holds everything after `then`.
fn reaches(connection: &Connection, then: Watermark, now: Watermark) -> Result<bool> {
    if then.slot > now.slot || then.log > now.log {
        return Ok(false);
    }
    if then.log == now.log {
        return Ok(true);
    }
    let first: Option<i64> = connection
        .prepare_cached(&format!("SELECT min(seq) FROM {VECTOR_LOG}"))
        .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
        .map_err(storage("reading the log of vector changes"))?;
    Ok(first.is_some_and(|first| first <= then.log + 1))
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
