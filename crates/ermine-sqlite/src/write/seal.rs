//! Tending the text indexes: building segments from tails, and giving up segments
//! that hold many dead records.

use std::time::Duration;

use ermine_core::{Error, ErrorKind, Result};
use ermine_text::{ForwardRecord, SegmentBuilder};
use rusqlite::Connection;

use super::apply::Changes;
use crate::catalog::VECTOR_LOG;
use crate::connection::in_transaction;
use crate::error::{Doing, storage};
use crate::layout::{Known, Layout, TextTables};

/// How many records a segment is built from.
const SEGMENT: i64 = 4_096;

/// How many dead records a tenant may have before segments are given up.
const DEAD: i64 = 1_024;

/// For how many tenants changes are counted; of more, only those of most changes are.
const COUNTED: usize = 65_536;

/// How many entries the log of vector changes keeps; a cache that is further
/// behind is built anew.
const LOG_ENTRIES: i64 = 65_536;

/// How long each tenant's tail is, as if all of it had changed just now.
pub(super) fn tails(connection: &Connection, layout: &Layout) -> Result<Changes> {
    let Some(text) = &layout.text else {
        return Ok(Changes::new());
    };
    let sql = format!(
        "SELECT tenant, count(*) FROM {} WHERE seg IS NULL GROUP BY tenant",
        text.records
    );
    let name = layout.schema.name();
    connection
        .prepare(&sql)
        .and_then(|mut statement| {
            statement
                .query_map([], |row| {
                    let count: i64 = row.get(1)?;
                    Ok(((name.to_owned(), row.get(0)?), count.cast_unsigned()))
                })?
                .collect()
        })
        .map_err(storage(Doing("counting the unsealed documents of", name)))
}

/// Seals what has grown long, each segment in a transaction of its own.
///
/// Nobody waits for it and searches are right without it, so a failure is left for
/// the next time, when as much has changed again.
pub(super) fn tend(
    connection: &Connection,
    known: &Known,
    busy_timeout: Duration,
    changes: &mut Changes,
) {
    let due: Vec<(String, String)> = changes
        .iter()
        .filter(|(_, changed)| **changed >= SEGMENT.cast_unsigned())
        .map(|(key, _)| key.clone())
        .collect();
    for key in &due {
        let Some(layout) = known.named(&key.0) else {
            continue;
        };
        if let Some(text) = &layout.text {
            let fields = layout.schema.text().len();
            let _ = tend_tenant(connection, busy_timeout, text, fields, &key.1);
        }
        changes.remove(key);
    }
    if changes.len() > COUNTED {
        keep_the_largest(changes, COUNTED / 2);
    }
    // After every group: the changes of many small tenants are as long a log.
    let _ = trim_log(connection, busy_timeout);
    if !due.is_empty() {
        // So that the planner knows how many documents a tenant or a value has.
        let _ = connection.execute_batch("PRAGMA analysis_limit = 400; PRAGMA optimize;");
    }
}

/// Forgets the tenants of the fewest changes. What their tails hold already is counted
/// again when the store is opened.
fn keep_the_largest(changes: &mut Changes, kept: usize) {
    let mut counts: Vec<u64> = changes.values().copied().collect();
    let Some(forgotten) = counts.len().checked_sub(kept + 1) else {
        return;
    };
    let (_, largest_forgotten, _) = counts.select_nth_unstable(forgotten);
    let largest_forgotten = *largest_forgotten;
    changes.retain(|_, changed| *changed > largest_forgotten);
}

fn tend_tenant(
    connection: &Connection,
    busy_timeout: Duration,
    text: &TextTables,
    fields: usize,
    tenant: &str,
) -> Result<()> {
    in_transaction(connection, busy_timeout, |connection| {
        give_up(connection, text, tenant)
    })?;
    loop {
        let sealed = in_transaction(connection, busy_timeout, |connection| {
            seal(connection, text, fields, tenant)
        })?;
        if !sealed {
            return Ok(());
        }
    }
}

/// Builds a segment from the tail's first records; `false` where they are too few.
fn seal(connection: &Connection, text: &TextTables, fields: usize, tenant: &str) -> Result<bool> {
    let TextTables {
        records,
        segments,
        postings,
        ..
    } = text;
    let doing = format!("sealing the text index of `{}`", text.schema);
    let failed = || storage(&doing);
    let waiting: i64 = connection
        .prepare_cached(&format!(
            "SELECT count(*) FROM {records} WHERE tenant = ?1 AND seg IS NULL"
        ))
        .and_then(|mut s| s.query_row([tenant], |row| row.get(0)))
        .map_err(failed())?;
    if waiting < SEGMENT {
        return Ok(false);
    }
    let mut builder = SegmentBuilder::new(fields);
    let mut range: Option<(i64, i64)> = None;
    let mut statement = connection
        .prepare_cached(&format!(
            "SELECT doc, terms FROM {records} WHERE tenant = ?1 AND seg IS NULL ORDER BY doc LIMIT ?2"
        ))
        .map_err(failed())?;
    let mut rows = statement.query((tenant, SEGMENT)).map_err(failed())?;
    while let Some(row) = rows.next().map_err(failed())? {
        let doc: i64 = row.get(0).map_err(failed())?;
        let bytes = row
            .get_ref(1)
            .map_err(failed())?
            .as_blob()
            .unwrap_or_default();
        ForwardRecord::decode(bytes)
            .and_then(|record| builder.push(doc, &record))
            .map_err(|e| {
                Error::new(ErrorKind::Corrupt, format!("{doing}: document {doc}")).with_source(e)
            })?;
        range = Some((range.map_or(doc, |(first, _)| first), doc));
    }
    drop(rows);
    let Some((first, last)) = range else {
        return Ok(false);
    };
    let segment = builder.finish();
    let number: i64 = connection
        .prepare_cached(&format!(
            "INSERT INTO {segments} (tenant, first, last, n, sum_len) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING seg"
        ))
        .and_then(|mut s| {
            let sums = (segment.documents.cast_signed(), segment.total_len.cast_signed());
            s.query_row((tenant, first, last, sums.0, sums.1), |row| row.get(0))
        })
        .map_err(failed())?;
    let mut insert = connection
        .prepare_cached(&format!(
            "INSERT INTO {postings} (seg, term, df, post, pos) VALUES (?1, ?2, ?3, ?4, ?5)"
        ))
        .map_err(failed())?;
    for term in &segment.terms {
        insert
            .execute((
                number,
                &term.term,
                term.df.cast_signed(),
                &term.post,
                &term.pos,
            ))
            .map_err(failed())?;
    }
    connection
        .prepare_cached(&format!(
            "UPDATE {records} SET seg = ?1 WHERE tenant = ?2 AND seg IS NULL AND doc <= ?3"
        ))
        .and_then(|mut s| s.execute((number, tenant, last)))
        .map_err(failed())?;
    Ok(true)
}

/// Puts the living records of segments that are a quarter dead back into the tail,
/// which is then sealed anew, once a tenant has many dead records: each costs every
/// search a look.
fn give_up(connection: &Connection, text: &TextTables, tenant: &str) -> Result<()> {
    let TextTables {
        records,
        dead,
        segments,
        postings,
        ..
    } = text;
    let doing = format!("tending the text index of `{}`", text.schema);
    let failed = || storage(&doing);
    let buried: i64 = connection
        .prepare_cached(&format!("SELECT count(*) FROM {dead} WHERE tenant = ?1"))
        .and_then(|mut s| s.query_row([tenant], |row| row.get(0)))
        .map_err(failed())?;
    if buried < DEAD {
        return Ok(());
    }
    let dying: Vec<(i64, i64, i64)> = connection
        .prepare_cached(&format!(
            "SELECT seg, first, last FROM {segments} AS s WHERE tenant = ?1
             AND 4 * (SELECT count(*) FROM {dead} AS x WHERE x.tenant = ?1 AND x.seg = s.seg) >= n"
        ))
        .and_then(|mut s| {
            s.query_map([tenant], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
                .collect()
        })
        .map_err(failed())?;
    for (seg, first, last) in dying {
        let execute = |sql: &str, parameters: &[&dyn rusqlite::ToSql]| {
            connection
                .prepare_cached(sql)
                .and_then(|mut s| s.execute(parameters))
                .map(drop)
                .map_err(failed())
        };
        execute(&format!("DELETE FROM {postings} WHERE seg = ?1"), &[&seg])?;
        execute(&format!("DELETE FROM {segments} WHERE seg = ?1"), &[&seg])?;
        execute(
            &format!("UPDATE {records} SET seg = NULL WHERE doc BETWEEN ?2 AND ?3 AND seg = ?1"),
            &[&seg, &first, &last],
        )?;
        // Last, since the trigger of the line above buries what it takes out.
        execute(
            &format!("DELETE FROM {dead} WHERE tenant = ?2 AND seg = ?1"),
            &[&seg, &tenant],
        )?;
    }
    Ok(())
}

fn trim_log(connection: &Connection, busy_timeout: Duration) -> Result<()> {
    // Two lookups; one SELECT of both would read the whole log.
    let span: Option<i64> = connection
        .prepare_cached(&format!(
            "SELECT (SELECT max(seq) FROM {VECTOR_LOG}) - (SELECT min(seq) FROM {VECTOR_LOG})"
        ))
        .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
        .map_err(storage("measuring the log of vector changes"))?;
    if span.is_none_or(|span| span < 2 * LOG_ENTRIES) {
        return Ok(());
    }
    in_transaction(connection, busy_timeout, |connection| {
        connection
            .execute(
                &format!(
                    "DELETE FROM {VECTOR_LOG} WHERE seq <= (SELECT max(seq) FROM {VECTOR_LOG}) - ?1"
                ),
                [LOG_ENTRIES],
            )
            .map(drop)
            .map_err(storage("trimming the log of vector changes"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_counted_of_so_many_tenants_and_no_more() {
        let mut changes = Changes::new();
        for tenant in 0..100_u64 {
            changes.insert(("notes".to_owned(), tenant.to_string()), tenant / 2);
        }
        keep_the_largest(&mut changes, 10);
        let mut kept: Vec<u64> = changes.into_values().collect();
        kept.sort_unstable();
        assert_eq!(kept, [45, 45, 46, 46, 47, 47, 48, 48, 49, 49]);

        let mut few = Changes::from([(("notes".to_owned(), String::new()), 1)]);
        keep_the_largest(&mut few, 1);
        assert_eq!(few.len(), 1);
    }
}
