//! Storing documents: their rows, their vectors, their text.

use std::collections::HashMap;

use ermine_core::{Error, ErrorKind, Id, Put, PutMode, Result, Value, VectorWrite};
use ermine_sql::{SqlValue, encode, encode_id};
use ermine_text::EncodedRecord;
use futures_util::future::{join, join_all};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};

use super::failure::{Failure, Sent, of_statement};
use super::load::Load;
use super::runs::{Run, Work};
use super::seal::TAIL;
use super::statement::Statement;
use crate::bind::{Bind, VectorData, array_of, read_id, tenant_text};
use crate::error::{document, storage};
use crate::layout::Layout;

/// A run of documents, each with the number it has or is given.
pub(super) struct Puts<'r> {
    run: &'r Run<'r>,
    /// Those that exist, and those that do not.
    there: Vec<(i64, &'r Put)>,
    new: Vec<(i64, &'r Put)>,
}

/// What is stored of a document that is to be written.
#[derive(Clone, Copy)]
struct Found {
    doc: i64,
    is_deleted: bool,
}

impl<'r> Puts<'r> {
    /// Refuses documents that do not come with what their type has.
    pub(super) fn check(run: &Run<'_>) -> Result<()> {
        match &run.work {
            Work::Puts(puts) => puts.iter().try_for_each(|put| check(&run.layout, put)),
            _ => Ok(()),
        }
    }

    /// Locks what exists, gives numbers to what does not, and judges modes and guards
    /// (rules D2 and D11): the first document refused is the unit's error.
    pub(super) async fn plan(
        client: &Client,
        run: &'r Run<'r>,
        puts: &[&'r Put],
    ) -> std::result::Result<Self, Failure> {
        let layout = &run.layout;
        let failed = |e| of_statement(e, Sent::Statements);
        let tenant = tenant_text(run.tenant);
        let ids: Vec<SqlValue> = puts.iter().map(|put| encode_id(&put.id)).collect();
        let bound: Vec<Bind<'_>> = ids.iter().map(Bind::of).collect();
        let of_ids: [(&(dyn ToSql + Sync), Type); 2] =
            [(&tenant, Type::TEXT), (&bound, array_of(&layout.id))];
        let count = i32::try_from(puts.len()).unwrap_or(i32::MAX);
        let of_count: [(&(dyn ToSql + Sync), Type); 1] = [(&count, Type::INT4)];
        let guarded = guarded_fields(puts);
        // Read after the lock was had, by a statement of its own: one that waited for
        // the lock would see the hashes of before.
        let hashes = join_all(guarded.iter().map(async |at| {
            let sql = layout.vectors.get(*at).map(|v| &v.hashes);
            match sql {
                Some(sql) => client.query_typed(sql, &of_ids).await,
                None => Ok(Vec::new()),
            }
        }));
        if puts.len() as u64 >= TAIL {
            // Many are waited for long, and what appears meanwhile is not seen by the
            // statement that waits.
            let waited = client.query_typed(&layout.lock, &of_ids).await;
            waited.map_err(failed)?;
        }
        let (locked, (numbers, hashes)) = join(
            client.query_typed(&layout.lock, &of_ids),
            join(client.query_typed(&layout.numbers, &of_count), hashes),
        )
        .await;
        let found = found(layout, &locked.map_err(failed)?)?;
        let mut numbers = numbers.map_err(failed)?.into_iter();
        let mut stored: HashMap<(usize, i64), String> = HashMap::new();
        for (at, rows) in guarded.iter().zip(hashes) {
            for row in rows.map_err(failed)? {
                let hash: Option<String> = row.try_get(1).map_err(storage("reading a hash"))?;
                let doc = row.try_get(0).map_err(storage("reading a hash"))?;
                stored.extend(hash.map(|hash| ((*at, doc), hash)));
            }
        }
        let mut plan = Self {
            run,
            there: Vec::new(),
            new: Vec::new(),
        };
        for put in puts {
            let existing = found.get(&put.id).copied();
            check_mode(put, existing)?;
            check_hashes(put, existing, &stored)?;
            match existing {
                Some(found) => plan.there.push((found.doc, put)),
                None => {
                    let number = numbers.next().ok_or_else(|| {
                        Error::new(
                            ErrorKind::Storage,
                            "the database gave out too few numbers; please report this",
                        )
                    })?;
                    let doc = number.try_get(0).map_err(storage("numbering a document"))?;
                    plan.new.push((doc, put));
                }
            }
        }
        // Units that create the same documents wait for each other in one order.
        plan.new.sort_unstable_by(|a, b| a.1.id.cmp(&b.1.id));
        Ok(plan)
    }

    pub(super) fn count(&self) -> u64 {
        (self.there.len() + self.new.len()) as u64
    }

    fn all(&self) -> impl Iterator<Item = &(i64, &'r Put)> {
        self.new.iter().chain(&self.there)
    }

    /// Writes those that do not exist by COPY, where they are enough for a segment.
    pub(super) async fn load(&mut self, client: &Client) -> std::result::Result<(), Failure> {
        if (self.new.len() as u64) < TAIL {
            return Ok(());
        }
        let load = Load {
            client,
            layout: &self.run.layout,
            tenant: tenant_text(self.run.tenant),
            puts: std::mem::take(&mut self.new),
        };
        load.run().await
    }

    /// What writes them, or those that are left.
    pub(super) fn statements(&self) -> Result<Vec<Statement<'r>>> {
        let layout = &self.run.layout;
        let tenant = tenant_text(self.run.tenant);
        let mut statements = Vec::new();
        if !self.new.is_empty() {
            let insert = Statement::new(layout.insert.as_str())
                .bind(tenant, Type::TEXT)
                .bind(numbers(&self.new), Type::INT8_ARRAY)
                .bind_ids(layout, self.new.iter().map(|(_, put)| &put.id))
                .bind(bodies(&self.new), Type::TEXT_ARRAY);
            statements.push(bind_columns(insert, layout, &self.new));
        }
        if !self.there.is_empty() {
            let update = Statement::new(layout.update.as_str())
                .bind(numbers(&self.there), Type::INT8_ARRAY)
                .bind(bodies(&self.there), Type::TEXT_ARRAY);
            statements.push(bind_columns(update, layout, &self.there));
        }
        for at in 0..layout.vectors.len() {
            statements.extend(self.vectors(at));
        }
        statements.extend(self.text(tenant));
        Ok(statements)
    }

    /// What writes one vector field (rule D11).
    fn vectors(&self, at: usize) -> Vec<Statement<'r>> {
        let Some(table) = self.run.layout.vectors.get(at) else {
            return Vec::new();
        };
        let (mut docs, mut data, mut hashes) = (Vec::new(), Vec::new(), Vec::new());
        let mut cleared = Vec::new();
        for (doc, put) in self.all() {
            match put.vectors.get(at) {
                None | Some(VectorWrite::Keep | VectorWrite::KeepIfHash(_)) => {}
                Some(VectorWrite::Set { vector, hash }) => {
                    docs.push(*doc);
                    data.push(Some(VectorData(vector.as_slice())));
                    hashes.push(hash.as_deref());
                }
                Some(VectorWrite::Clear { hash: Some(hash) }) => {
                    docs.push(*doc);
                    data.push(None);
                    hashes.push(Some(hash.as_str()));
                }
                Some(VectorWrite::Clear { hash: None }) => cleared.push(*doc),
            }
        }
        let mut statements = Vec::new();
        if !docs.is_empty() {
            statements.push(
                Statement::new(table.upsert.as_str())
                    .bind(docs, Type::INT8_ARRAY)
                    .bind(data, table.array.clone())
                    .bind(hashes, Type::TEXT_ARRAY),
            );
        }
        if !cleared.is_empty() {
            statements.push(Statement::new(table.delete.as_str()).bind(cleared, Type::INT8_ARRAY));
        }
        statements
    }

    /// What writes the forward records into the tail. A record whose postings sit in a
    /// segment is buried by the table's trigger; one that says the same is left there.
    fn text(&self, tenant: &'r str) -> Option<Statement<'r>> {
        let text = self.run.layout.text.as_ref()?;
        let (mut docs, mut lens, mut terms) = (Vec::new(), Vec::new(), Vec::new());
        for (doc, put) in self.all() {
            let record = put.text.as_ref()?;
            docs.push(*doc);
            lens.push(i64::from(record.len));
            terms.push(record.bytes.as_slice());
        }
        if docs.is_empty() {
            return None;
        }
        let upsert = Statement::new(text.upsert.as_str())
            .bind(tenant, Type::TEXT)
            .bind(docs, Type::INT8_ARRAY)
            .bind(lens, Type::INT8_ARRAY)
            .bind(terms, Type::BYTEA_ARRAY);
        Some(upsert)
    }
}

/// The vector fields that any of the documents is to keep if its text has a hash.
fn guarded_fields(puts: &[&Put]) -> Vec<usize> {
    let guards = |at: &usize| {
        puts.iter()
            .any(|put| matches!(put.vectors.get(*at), Some(VectorWrite::KeepIfHash(_))))
    };
    let most = puts.iter().map(|put| put.vectors.len()).max().unwrap_or(0);
    (0..most).filter(guards).collect()
}

fn found(layout: &Layout, rows: &[Row]) -> Result<HashMap<Id, Found>> {
    let reading = || storage("finding documents");
    rows.iter()
        .map(|row| {
            let found = Found {
                doc: row.try_get(0).map_err(reading())?,
                is_deleted: row.try_get(2).map_err(reading())?,
            };
            Ok((read_id(&layout.schema, row, 1)?, found))
        })
        .collect()
}

fn check_mode(put: &Put, found: Option<Found>) -> Result<()> {
    match (put.mode, found) {
        (PutMode::Store, _) | (PutMode::Insert, None) => Ok(()),
        (PutMode::Update, Some(found)) if !found.is_deleted => Ok(()),
        (PutMode::Insert, Some(_)) => Err(refused(
            put,
            ErrorKind::AlreadyExists,
            "exists already; store it to replace it",
        )),
        (PutMode::Update, _) => Err(refused(
            put,
            ErrorKind::Missing,
            "does not exist; store it to create it",
        )),
        (other, _) => Err(refused(
            put,
            ErrorKind::Unsupported,
            &format!("cannot be written by {other:?} on the PostgreSQL store"),
        )),
    }
}

fn check_hashes(
    put: &Put,
    found: Option<Found>,
    stored: &HashMap<(usize, i64), String>,
) -> Result<()> {
    for (at, write) in put.vectors.iter().enumerate() {
        let VectorWrite::KeepIfHash(expected) = write else {
            continue;
        };
        let hash = found.and_then(|found| stored.get(&(at, found.doc)));
        if hash != Some(expected) {
            let field = put
                .schema
                .vectors()
                .get(at)
                .map_or("", |field| field.name());
            return Err(refused(
                put,
                ErrorKind::KeptVectorChanged,
                &format!(
                    "was to keep the vector of field `{field}`, which another writer has replaced; read and write again"
                ),
            ));
        }
    }
    Ok(())
}

/// Every list has the length the schema says, and the head of the analysed text says
/// what its type has and what is stored beside it: one that does not could never be
/// sealed.
fn check(layout: &Layout, put: &Put) -> Result<()> {
    let schema = &layout.schema;
    let fits = put.columns.len() == schema.columns().len()
        && put.vectors.len() == schema.vectors().len()
        && put.text.is_some() == layout.text.is_some();
    if !fits {
        return Err(refused(
            put,
            ErrorKind::InvalidValue,
            &format!(
                "comes with {} columns, {} vectors and {} analysed text, and its type has {}, {} and {}",
                put.columns.len(),
                put.vectors.len(),
                if put.text.is_some() { "an" } else { "no" },
                schema.columns().len(),
                schema.vectors().len(),
                if layout.text.is_some() { "one" } else { "none" },
            ),
        ));
    }
    let Some(record) = &put.text else {
        return Ok(());
    };
    let head = EncodedRecord::new(&record.bytes).map_err(|e| {
        refused(
            put,
            ErrorKind::InvalidValue,
            "comes with analysed text that cannot be read",
        )
        .with_source(e)
    })?;
    if head.fields() == schema.text().len() && head.len() == u64::from(record.len) {
        return Ok(());
    }
    Err(refused(
        put,
        ErrorKind::InvalidValue,
        &format!(
            "comes with analysed text of {} fields and {} terms, expected {} and {}",
            head.fields(),
            head.len(),
            schema.text().len(),
            record.len
        ),
    ))
}

pub(super) fn refused(put: &Put, kind: ErrorKind, problem: &str) -> Error {
    let what = document(&put.schema, put.tenant.as_ref(), &put.id);
    Error::new(kind, format!("{what} {problem}"))
}

fn numbers(puts: &[(i64, &Put)]) -> Vec<i64> {
    puts.iter().map(|(doc, _)| *doc).collect()
}

fn bodies<'r>(puts: &[(i64, &'r Put)]) -> Vec<&'r str> {
    puts.iter().map(|(_, put)| put.body.as_str()).collect()
}

/// Binds an array per indexed field.
fn bind_columns<'r>(
    statement: Statement<'r>,
    layout: &Layout,
    puts: &[(i64, &'r Put)],
) -> Statement<'r> {
    let fields = layout.columns.iter().enumerate();
    fields.fold(statement, |statement, (at, ty)| {
        let value = |(_, put): &(i64, &Put)| stored(put.columns.get(at).and_then(Option::as_ref));
        let values: Vec<Bind<'r>> = puts.iter().map(|put| Bind::owned(value(put))).collect();
        statement.bind(values, ty.clone())
    })
}

/// The stored form of a field's value; a list's is the text of an array.
fn stored(value: Option<&Value>) -> SqlValue {
    match value {
        None => SqlValue::Null,
        Some(Value::List(items)) => SqlValue::Text(array_text(items)),
        Some(scalar) => encode(scalar).unwrap_or(SqlValue::Null),
    }
}

/// A list's distinct elements.
pub(super) fn elements(items: &[Value]) -> Vec<SqlValue> {
    let mut elements: Vec<(String, SqlValue)> = items
        .iter()
        .filter_map(encode)
        .filter_map(|item| Some((element_text(&item)?, item)))
        .collect();
    elements.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    elements.dedup_by(|a, b| a.0 == b.0);
    elements.into_iter().map(|(_, item)| item).collect()
}

/// The text of an array: its distinct elements in braces, each in quotes.
fn array_text(items: &[Value]) -> String {
    let texts: Vec<String> = elements(items)
        .iter()
        .filter_map(element_text)
        .map(|text| format!("\"{text}\""))
        .collect();
    format!("{{{}}}", texts.join(","))
}

/// An element within its quotes; `None` of what no list holds.
fn element_text(item: &SqlValue) -> Option<String> {
    match item {
        SqlValue::Null | SqlValue::Blob(_) => None,
        SqlValue::Bool(v) => Some(v.to_string()),
        SqlValue::Integer(v) => Some(v.to_string()),
        SqlValue::Real(v) => Some(v.to_string()),
        SqlValue::Text(v) => Some(v.replace('\\', r"\\").replace('"', "\\\"")),
        SqlValue::Uuid(v) => Some(v.to_string()),
        SqlValue::Timestamp(v) => Some(year_of_an_era(&v.to_string())),
    }
}

/// PostgreSQL has no year 0: it is the first before our era.
fn year_of_an_era(timestamp: &str) -> String {
    match timestamp.strip_prefix("0000-") {
        Some(rest) => format!("0001-{rest} BC"),
        None => timestamp.to_owned(),
    }
}
