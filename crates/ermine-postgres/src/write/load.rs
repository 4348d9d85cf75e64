//! Many new documents at once: by COPY, their text as a segment.

use ermine_core::{Error, ErrorKind, Put, Value, VectorWrite};
use ermine_sql::{SqlValue, encode, encode_id, field_column};
use ermine_text::{ForwardRecord, SegmentBuilder};
use tokio_postgres::types::{Kind, ToSql, Type};
use tokio_postgres::{Client, Error as DriverError};

use super::copy::{Values, copy};
use super::failure::{Failure, Sent, of_statement};
use super::put::{elements, refused};
use super::segment;
use crate::bind::{Bind, VectorData};
use crate::layout::{Layout, TextTables, VectorTable};

/// New documents of one tenant, with the numbers they were given.
pub(super) struct Load<'r> {
    pub(super) client: &'r Client,
    pub(super) layout: &'r Layout,
    pub(super) tenant: &'r str,
    pub(super) puts: Vec<(i64, &'r Put)>,
}

impl Load<'_> {
    /// Writes everything of them.
    pub(super) async fn run(mut self) -> std::result::Result<(), Failure> {
        self.documents().await.map_err(failed)?;
        for (at, table) in self.layout.vectors.iter().enumerate() {
            self.vectors(at, table).await.map_err(failed)?;
        }
        match &self.layout.text {
            None => Ok(()),
            Some(text) => {
                // Documents come in the order of their ids, postings in that of numbers.
                self.puts.sort_unstable_by_key(|(doc, _)| *doc);
                self.text(text).await
            }
        }
    }

    async fn documents(&self) -> std::result::Result<(), DriverError> {
        let layout = self.layout;
        let fields = layout.schema.columns();
        let names: Vec<String> = fields.iter().map(|c| field_column(c.name())).collect();
        let mut columns = vec![
            ("doc", Type::INT8),
            ("tenant", Type::TEXT),
            ("id", layout.id.clone()),
            ("body", Type::TEXT),
        ];
        columns.extend(names.iter().map(String::as_str).zip(layout.stored()));
        let field = |put: &Put, at| Field::of(put.columns.get(at).and_then(Option::as_ref));
        let rows: Vec<(i64, Bind<'_>, &str, Vec<Field>)> = self
            .puts
            .iter()
            .map(|(doc, put)| {
                let values = (0..fields.len()).map(|at| field(put, at)).collect();
                (
                    *doc,
                    Bind::owned(encode_id(&put.id)),
                    put.body.as_str(),
                    values,
                )
            })
            .collect();
        copy(
            self.client,
            &layout.tables.documents,
            &columns,
            &rows,
            |(doc, id, body, values)| {
                let mut row: Values<'_> = vec![doc, &self.tenant, id, body];
                row.extend(values.iter().map(Field::value));
                row
            },
        )
        .await
    }

    async fn vectors(
        &self,
        at: usize,
        table: &VectorTable,
    ) -> std::result::Result<(), DriverError> {
        let rows: Vec<(i64, Option<VectorData<'_>>, Option<&str>)> = self
            .puts
            .iter()
            .filter_map(|(doc, put)| match put.vectors.get(at)? {
                VectorWrite::Set { vector, hash } => {
                    Some((*doc, Some(VectorData(vector.as_slice())), hash.as_deref()))
                }
                VectorWrite::Clear { hash: Some(hash) } => Some((*doc, None, Some(hash.as_str()))),
                // There is nothing to keep.
                VectorWrite::Clear { hash: None }
                | VectorWrite::Keep
                | VectorWrite::KeepIfHash(_) => None,
            })
            .collect();
        let vector = match table.array.kind() {
            Kind::Array(vector) => vector.clone(),
            _ => return Ok(()),
        };
        if rows.is_empty() {
            return Ok(());
        }
        let columns = [("doc", Type::INT8), ("data", vector), ("hash", Type::TEXT)];
        copy(
            self.client,
            &table.table,
            &columns,
            &rows,
            |(doc, data, hash)| vec![doc, data, hash],
        )
        .await
    }

    async fn text(&self, text: &TextTables) -> std::result::Result<(), Failure> {
        let mut builder = SegmentBuilder::new(self.layout.schema.text().len());
        let mut rows = Vec::with_capacity(self.puts.len());
        for (doc, put) in &self.puts {
            let Some(record) = &put.text else { continue };
            ForwardRecord::decode(&record.bytes)
                .and_then(|decoded| builder.push(*doc, &decoded))
                .map_err(|e| unreadable(put).with_source(e))?;
            rows.push((*doc, i64::from(record.len), record.bytes.as_slice()));
        }
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
            return Ok(());
        };
        let range = (first.0, last.0);
        let built = builder.finish();
        let segment = segment::insert(self.client, text, self.tenant, range, &built)
            .await
            .map_err(failed)?;
        copy(
            self.client,
            &text.records,
            &[
                ("doc", Type::INT8),
                ("tenant", Type::TEXT),
                ("live", Type::BOOL),
                ("seg", Type::INT8),
                ("len", Type::INT8),
                ("terms", Type::BYTEA),
            ],
            &rows,
            |(doc, len, terms)| vec![doc, &self.tenant, &true, &segment, len, terms],
        )
        .await
        .map_err(failed)
    }
}

fn failed(error: DriverError) -> Failure {
    of_statement(error, Sent::Statements)
}

fn unreadable(put: &Put) -> Error {
    refused(
        put,
        ErrorKind::InvalidValue,
        "comes with analysed text that cannot be read",
    )
}

/// The value of an indexed field, as its column holds it.
enum Field {
    Scalar(Bind<'static>),
    List(Vec<Bind<'static>>),
}

impl Field {
    fn of(value: Option<&Value>) -> Self {
        match value {
            None => Self::Scalar(Bind::owned(SqlValue::Null)),
            Some(Value::List(items)) => {
                Self::List(elements(items).into_iter().map(Bind::owned).collect())
            }
            Some(scalar) => Self::Scalar(Bind::owned(encode(scalar).unwrap_or(SqlValue::Null))),
        }
    }

    fn value(&self) -> &(dyn ToSql + Sync) {
        match self {
            Self::Scalar(value) => value,
            Self::List(values) => values,
        }
    }
}
