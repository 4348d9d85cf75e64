//! What one tenant's text index holds of a query's terms.

use std::collections::{HashMap, HashSet};

use ermine_core::{Error, Result};
use ermine_text::{EncodedRecord, Postings, Statistics, TextError};
use rusqlite::{Connection, OptionalExtension, Row};

use crate::error::{Doing, corrupt, storage};
use crate::layout::TextTables;

/// Everything a search reads of one tenant's index, for certain terms.
///
/// The sums are those of rule T12: over the live documents, whatever the search's
/// own scope and filter. They are the segments' sums, less the records that are
/// dead or hidden, plus the live tail.
pub(super) struct TenantIndex {
    pub(super) statistics: Statistics,
    /// For each term, in how many live documents it is.
    pub(super) df: Vec<u64>,
    pub(super) segments: Vec<SegmentPostings>,
    /// Records whose postings still sit in a segment, by segment and document.
    pub(super) dead: HashSet<(i64, i64)>,
    /// Soft-deleted documents whose postings sit in a segment.
    pub(super) hidden: HashSet<i64>,
    /// The documents of both, by segment.
    out: HashMap<i64, Vec<i64>>,
    /// Documents outside the segments that hold any of the terms.
    pub(super) tail: Vec<TailDocument>,
    /// How many records and posting lists were read.
    pub(super) read: u64,
}

/// The postings that one segment holds.
pub(super) struct SegmentPostings {
    pub(super) number: i64,
    /// For each term, its postings; `None` where the segment has none.
    pub(super) posts: Vec<Option<Vec<u8>>>,
}

/// A document of the tail.
pub(super) struct TailDocument {
    pub(super) doc: i64,
    pub(super) live: bool,
    pub(super) len: u64,
    /// For each term, its counts per field; empty where the document lacks it.
    pub(super) counts: Vec<Vec<u32>>,
}

impl TenantIndex {
    /// Reads what is stored of `terms`, which are sorted and distinct, over so many
    /// text fields.
    pub(super) fn read(
        connection: &Connection,
        text: &TextTables,
        tenant: &str,
        terms: &[&str],
        fields: usize,
    ) -> Result<Self> {
        let mut index = Self {
            statistics: Statistics {
                documents: 0,
                total_len: 0,
            },
            df: vec![0; terms.len()],
            segments: Vec::new(),
            dead: HashSet::new(),
            hidden: HashSet::new(),
            out: HashMap::new(),
            tail: Vec::new(),
            read: 0,
        };
        index.read_segments(connection, text, tenant, terms)?;
        index.read_dead(connection, text, tenant)?;
        index.read_hidden(connection, text, tenant)?;
        index.count_out(text, fields)?;
        index.read_tail(connection, text, tenant, terms)?;
        Ok(index)
    }

    fn read_segments(
        &mut self,
        connection: &Connection,
        text: &TextTables,
        tenant: &str,
        terms: &[&str],
    ) -> Result<()> {
        let failed = || storage(Doing("searching the text of", &text.schema));
        let mut numbers = Vec::new();
        each(connection, text, &text.segments_of, tenant, |row| {
            numbers.push(row.get(0)?);
            self.statistics.documents += row.get::<_, i64>(1)?.cast_unsigned();
            self.statistics.total_len += row.get::<_, i64>(2)?.cast_unsigned();
            Ok(Ok(()))
        })?;
        let mut statement = connection
            .prepare_cached(&text.postings_of)
            .map_err(failed())?;
        for number in numbers {
            let mut posts = Vec::with_capacity(terms.len());
            for (term, df) in terms.iter().zip(&mut self.df) {
                let found: Option<(i64, Vec<u8>)> = statement
                    .query_row((number, term), |row| Ok((row.get(0)?, row.get(1)?)))
                    .optional()
                    .map_err(failed())?;
                posts.push(found.map(|(holders, post)| {
                    *df += holders.cast_unsigned();
                    self.read += holders.cast_unsigned();
                    post
                }));
            }
            self.segments.push(SegmentPostings { number, posts });
        }
        Ok(())
    }

    fn read_dead(
        &mut self,
        connection: &Connection,
        text: &TextTables,
        tenant: &str,
    ) -> Result<()> {
        each(connection, text, &text.dead_of, tenant, |row| {
            self.dead.insert((row.get(2)?, row.get(0)?));
            self.take_out(row)
        })
    }

    fn read_hidden(
        &mut self,
        connection: &Connection,
        text: &TextTables,
        tenant: &str,
    ) -> Result<()> {
        each(connection, text, &text.hidden_of, tenant, |row| {
            self.hidden.insert(row.get(0)?);
            self.take_out(row)
        })
    }

    /// Takes a record (document, length, segment) out of the sums of its segment.
    fn take_out(&mut self, row: &Row<'_>) -> rusqlite::Result<Read<()>> {
        self.read += 1;
        let len = row.get::<_, i64>(1)?.cast_unsigned();
        let Statistics {
            documents,
            total_len,
        } = &mut self.statistics;
        *documents = documents.saturating_sub(1);
        *total_len = total_len.saturating_sub(len);
        let segment = row.get(2)?;
        self.out.entry(segment).or_default().push(row.get(0)?);
        Ok(Ok(()))
    }

    /// Takes the dead and the hidden out of the terms' numbers of documents: the
    /// postings tell which terms they hold.
    fn count_out(&mut self, text: &TextTables, fields: usize) -> Result<()> {
        for segment in &self.segments {
            let Some(out) = self.out.get_mut(&segment.number) else {
                continue;
            };
            out.sort_unstable();
            for (post, df) in segment.posts.iter().zip(&mut self.df) {
                let Some(post) = post else { continue };
                let mut postings = Postings::new(post, fields);
                for doc in out.iter() {
                    let standing = postings
                        .seek(*doc)
                        .map_err(|error| damaged(text, *doc, error))?;
                    match standing {
                        Some(posting) => *df = df.saturating_sub((posting.doc == *doc).into()),
                        None => break,
                    }
                }
            }
        }
        Ok(())
    }

    fn read_tail(
        &mut self,
        connection: &Connection,
        text: &TextTables,
        tenant: &str,
        terms: &[&str],
    ) -> Result<()> {
        each(connection, text, &text.tail_of, tenant, |row| {
            self.read += 1;
            let counts = match counts_of(row, terms)? {
                Ok(counts) => counts,
                Err(error) => return Ok(Err(error)),
            };
            let (len, live) = (row.get::<_, i64>(1)?.cast_unsigned(), row.get(3)?);
            if live {
                self.statistics.documents += 1;
                self.statistics.total_len += len;
                for (counts, df) in counts.iter().zip(&mut self.df) {
                    *df += u64::from(!counts.is_empty());
                }
            }
            if counts.iter().any(|counts| !counts.is_empty()) {
                self.tail.push(TailDocument {
                    doc: row.get(0)?,
                    live,
                    len,
                    counts,
                });
            }
            Ok(Ok(()))
        })
    }
}

/// A forward record's own error, beside the database's.
type Read<T> = std::result::Result<T, (i64, TextError)>;

/// The counts of each term in the record of a row: document, length, record, ….
fn counts_of(row: &Row<'_>, terms: &[&str]) -> rusqlite::Result<Read<Vec<Vec<u32>>>> {
    let doc = row.get(0)?;
    let bytes = row.get_ref(2)?.as_blob().unwrap_or_default();
    Ok(EncodedRecord::new(bytes)
        .and_then(|record| record.lookup_all(terms))
        .map_err(|error| (doc, error)))
}

fn each(
    connection: &Connection,
    text: &TextTables,
    sql: &str,
    tenant: &str,
    mut take: impl FnMut(&Row<'_>) -> rusqlite::Result<Read<()>>,
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
