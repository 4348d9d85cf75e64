//! The tables of one document type: their names, and the statements that create them.

mod hnsw;
mod text;
mod triggers;
mod vectors;

use std::sync::Arc;

use ermine_core::{ColumnType, Filterable, Include, Result, ScalarType, Schema};
use ermine_sql::{Dialect, Lists, Postgres, Tables, TypeLayout, field_column};
use tokio_postgres::types::Type;

pub(crate) use hnsw::{Building, HnswIndex};
pub(crate) use text::TextTables;
pub(crate) use triggers::SEALING;
pub(crate) use vectors::{LARGEST_NORM, SMALLEST_NORM, VectorTable};

use crate::extension::Extension;

/// The types this store was told of.
pub(crate) type Known = ermine_sql::Known<Layout>;

/// A type as this store keeps it.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) schema: Arc<Schema>,
    pub(crate) tables: Tables,
    /// `None` for a type without text fields.
    pub(crate) text: Option<TextTables>,
    /// In the order of the schema's vector fields.
    pub(crate) vectors: Vec<VectorTable>,
    /// The type an id is bound as.
    pub(crate) id: Type,
    /// Of each indexed field, the type of the array of its values.
    pub(crate) columns: Vec<Type>,
    /// Gives out numbers for documents.
    pub(crate) numbers: String,
    /// Locks documents of a tenant by their ids, and says which there are.
    pub(crate) lock: String,
    pub(crate) insert: String,
    pub(crate) update: String,
    /// The beginnings of selections of documents, without and with their vectors.
    bare: String,
    with_vectors: String,
}

impl TypeLayout for Layout {
    fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }
}

impl Layout {
    pub(crate) fn new(schema: Arc<Schema>, extension: &Extension) -> Result<Self> {
        let tables = Tables::of(&schema);
        let documents = &tables.documents;
        let id = element(scalar_of(Filterable::Id(schema.id_type()).column_type()));
        let vectors: Vec<VectorTable> = schema
            .vectors()
            .iter()
            .map(|field| VectorTable::new(&schema, field, extension))
            .collect();
        let fields = schema.columns();
        let names: String = fields
            .iter()
            .map(|column| format!(", {}", field_column(column.name())))
            .collect();
        // A list travels as an array's text: arrays of arrays cannot be taken apart.
        let value = |at: usize, kind: ColumnType| match (kind, Postgres.lists()) {
            (ColumnType::List(scalar), Lists::Array(array)) => {
                format!("u.c{at}::{}", array(scalar))
            }
            _ => format!("u.c{at}"),
        };
        let values: Vec<String> = fields
            .iter()
            .enumerate()
            .map(|(at, column)| value(at, column.column_type()))
            .collect();
        let selected: String = values.iter().map(|value| format!(", {value}")).collect();
        let sets: String = fields
            .iter()
            .zip(&values)
            .map(|(column, value)| format!(", {} = {value}", field_column(column.name())))
            .collect();
        let places = |from: usize| -> String {
            (from..)
                .take(fields.len())
                .map(|at| format!(", ${at}"))
                .collect()
        };
        let labels: String = (0..fields.len()).map(|at| format!(", c{at}")).collect();
        let joins: String = vectors
            .iter()
            .enumerate()
            .map(|(at, vector)| {
                format!(" LEFT JOIN {} AS v{at} ON v{at}.doc = d.doc", vector.table)
            })
            .collect();
        let data: String = (0..vectors.len())
            .map(|at| format!(", {}(v{at}.data)", extension.named("vector_send")))
            .collect();
        Ok(Self {
            numbers: format!(
                "SELECT nextval('{}') FROM generate_series(1, $1)",
                Tables::sequence(&schema)
            ),
            lock: format!(
                "SELECT doc, id, deleted IS NOT NULL FROM {documents} WHERE tenant = $1 AND id = ANY($2) ORDER BY id FOR UPDATE"
            ),
            insert: format!(
                "INSERT INTO {documents} (doc, tenant, id, body{names}) SELECT u.doc, $1, u.id, u.body{selected} FROM unnest($2, $3, $4{}) AS u (doc, id, body{labels})",
                places(5)
            ),
            update: format!(
                "UPDATE {documents} AS d SET body = u.body, deleted = NULL{sets} FROM unnest($1, $2{}) AS u (doc, body{labels}) WHERE d.doc = u.doc",
                places(3)
            ),
            bare: format!("SELECT d.doc, d.tenant, d.id, d.body FROM {documents} AS d WHERE "),
            with_vectors: format!(
                "SELECT d.doc, d.tenant, d.id, d.body{data} FROM {documents} AS d{joins} WHERE "
            ),
            id,
            columns: fields.iter().map(|c| bound_as(c.column_type())).collect(),
            text: (!schema.text().is_empty()).then(|| TextTables::new(&schema)),
            vectors,
            tables,
            schema,
        })
    }

    /// The beginning of a selection of documents, up to its condition: number, tenant,
    /// id, body and, where they are wanted, each vector as `vector_send` writes it.
    pub(crate) fn selection(&self, include: Include) -> &str {
        if include.vectors {
            &self.with_vectors
        } else {
            &self.bare
        }
    }

    /// The type of each indexed field's column.
    pub(crate) fn stored(&self) -> impl Iterator<Item = Type> {
        self.schema.columns().iter().map(|c| match c.column_type() {
            ColumnType::Scalar(scalar) => element(scalar),
            ColumnType::List(scalar) => crate::bind::array_of(&element(scalar)),
        })
    }

    /// The statements that create the tables, their indexes and their triggers.
    pub(crate) fn create(&self) -> Vec<String> {
        let mut ddl = self.tables.create(&self.schema, &Postgres);
        if let Some(text) = &self.text {
            ddl.extend(text.create());
        }
        for vectors in &self.vectors {
            ddl.extend(vectors.create());
        }
        ddl.extend(triggers::create(self));
        ddl
    }
}

fn scalar_of(kind: ColumnType) -> ScalarType {
    let (ColumnType::Scalar(scalar) | ColumnType::List(scalar)) = kind;
    scalar
}

fn element(scalar: ScalarType) -> Type {
    match scalar {
        ScalarType::Bool => Type::BOOL,
        ScalarType::I64 | ScalarType::U64 => Type::INT8,
        ScalarType::F64 => Type::FLOAT8,
        ScalarType::Uuid => Type::UUID,
        ScalarType::Timestamp => Type::TIMESTAMPTZ,
        _ => Type::TEXT,
    }
}

/// What an indexed field's values are bound as, lists as text.
fn bound_as(kind: ColumnType) -> Type {
    let element = match kind {
        ColumnType::Scalar(scalar) => element(scalar),
        ColumnType::List(_) => Type::TEXT,
    };
    crate::bind::array_of(&element)
}

#[cfg(test)]
mod tests;
