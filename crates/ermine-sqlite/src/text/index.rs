//! Reading what one tenant's index holds of certain terms.

use ermine_core::{Error, Result};
use ermine_text::{Liveness, TermIndex, TextError};
use rusqlite::{Connection, OptionalExtension, Row};

use crate::error::{Doing, corrupt, storage};
use crate::layout::TextTables;

/// Reads what a tenant's index holds of `terms`, which are sorted and distinct, over so
/// many text fields.
pub(super) fn read(
    connection: &Connection,
    text: &TextTables,
    tenant: &str,
    terms: &[String],
    fields: usize,
) -> Result<TermIndex> {
    let mut index = TermIndex::new(terms.to_vec(), fields);
    read_segments(connection, text, tenant, terms, &mut index)?;
    let number = |row: &Row<'_>, at: usize| row.get(at).map(i64::cast_unsigned);
    each(connection, text, &text.dead_of, tenant, |row| {
        index.bury_by_postings(row.get(2)?, row.get(0)?, number(row, 1)?);
        Ok(Ok(()))
    })?;
    each(connection, text, &text.hidden_of, tenant, |row| {
        index.hide_by_postings(row.get(2)?, row.get(0)?, number(row, 1)?);
        Ok(Ok(()))
    })?;
    index
        .count_out()
        .map_err(|(doc, error)| damaged(text, doc, error))?;
    each(connection, text, &text.tail_of, tenant, |row| {
        let doc = row.get(0)?;
        let record = row.get_ref(2)?.as_blob().unwrap_or_default();
        let liveness = if row.get(3)? {
            Liveness::Live
        } else {
            Liveness::Hidden
        };
        let added = index.add_to_tail(doc, number(row, 1)?, record, liveness);
        Ok(added.map_err(|error| (doc, error)))
    })?;
    Ok(index)
}

fn read_segments(
    connection: &Connection,
    text: &TextTables,
    tenant: &str,
    terms: &[String],
    index: &mut TermIndex,
) -> Result<()> {
    let failed = || storage(Doing("searching the text of", &text.schema));
    let mut segments: Vec<i64> = Vec::new();
    each(connection, text, &text.segments_of, tenant, |row| {
        segments.push(row.get(0)?);
        let (documents, len): (i64, i64) = (row.get(1)?, row.get(2)?);
        index.add_segment(documents.cast_unsigned(), len.cast_unsigned());
        Ok(Ok(()))
    })?;
    let mut statement = connection
        .prepare_cached(&text.postings_of)
        .map_err(failed())?;
    for segment in segments {
        for term in terms {
            let found: Option<(i64, Vec<u8>)> = statement
                .query_row((segment, term), |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()
                .map_err(failed())?;
            if let Some((df, post)) = found {
                index.add_postings(segment, term, df.cast_unsigned(), post);
            }
        }
    }
    Ok(())
}

/// A forward record's own error, beside the database's.
type Read = std::result::Result<(), (i64, TextError)>;

fn each(
    connection: &Connection,
    text: &TextTables,
    sql: &str,
    tenant: &str,
    mut take: impl FnMut(&Row<'_>) -> rusqlite::Result<Read>,
) -> Result<()> {
    let failed = || storage(Doing("searching the text of", &text.schema));
    let mut statement = connection.prepare_cached(sql).map_err(failed())?;
    let mut rows = statement.query([tenant]).map_err(failed())?;
    while let Some(row) = rows.next().map_err(failed())? {
        if let Err((doc, error)) = take(row).map_err(failed())? {
            return Err(damaged(text, doc, error));
        }
    }
    Ok(())
}

/// A forward record or a posting list that Ermine did not write.
pub(super) fn damaged(text: &TextTables, doc: i64, error: TextError) -> Error {
    corrupt(format!(
        "the text index of `{}` is damaged at document number {doc}; store that document again",
        text.schema
    ))
    .with_source(error)
}
