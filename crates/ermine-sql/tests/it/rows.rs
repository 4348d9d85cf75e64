//! A table of documents, in memory and in SQLite.

use ermine_core::{ColumnType, IdType, ScalarType, Schema, Value};
use ermine_sql::{SqlValue, Sqlite, Tables, encode, field_column};
use proptest::prelude::*;
use rusqlite::types::{ToSqlOutput, Value as Bound};
use rusqlite::{Connection, ToSql, params_from_iter};
use uuid::Uuid;

/// A document's values, in the order of the columns.
pub(crate) type Row = Vec<Option<Value>>;

pub(crate) fn schema() -> Schema {
    use ColumnType::{List, Scalar};
    Schema::builder("things", "id", IdType::I64)
        .column("flag", Scalar(ScalarType::Bool))
        .column("n", Scalar(ScalarType::I64))
        .column("u", Scalar(ScalarType::U64))
        .column("x", Scalar(ScalarType::F64))
        .column("meta.\"s\" name", Scalar(ScalarType::Text))
        .column("uuid", Scalar(ScalarType::Uuid))
        .column("at", Scalar(ScalarType::Timestamp))
        .column("tags", List(ScalarType::Text))
        .column("numbers", List(ScalarType::U64))
        .build()
        .unwrap()
}

/// Values of few kinds, so that they often meet.
pub(crate) fn scalar(scalar: ScalarType) -> BoxedStrategy<Value> {
    match scalar {
        ScalarType::Bool => any::<bool>().prop_map(Value::Bool).boxed(),
        ScalarType::I64 => prop_oneof![-2i64..3, Just(i64::MIN), Just(i64::MAX)]
            .prop_map(Value::I64)
            .boxed(),
        ScalarType::U64 => prop_oneof![0u64..3, Just(u64::MAX), Just(1 << 63)]
            .prop_map(Value::U64)
            .boxed(),
        ScalarType::F64 => prop_oneof![Just(-0.0), Just(0.0), Just(0.1), Just(-1e300), Just(2.0)]
            .prop_map(Value::F64)
            .boxed(),
        ScalarType::Uuid => (0u128..3)
            .prop_map(|n| Value::Uuid(Uuid::from_u128(n << 100)))
            .boxed(),
        ScalarType::Timestamp => prop_oneof![
            Just("2026-01-01T00:00:00Z"),
            Just("0001-01-01T00:00:00.5Z"),
            Just("2026-01-01T00:00:00.000001Z")
        ]
        .prop_map(|text| Value::Timestamp(text.parse().unwrap()))
        .boxed(),
        _ => text().prop_map(Value::Text).boxed(),
    }
}

pub(crate) fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("a"),
        Just("A"),
        Just("%"),
        Just("_"),
        Just("é"),
        Just("\u{d7ff}"),
        Just("\u{e000}"),
        Just("\u{10ffff}"),
        Just("1")
    ];
    prop::collection::vec(piece, 0..3).prop_map(|pieces| pieces.concat())
}

pub(crate) fn row() -> impl Strategy<Value = Row> {
    schema()
        .columns()
        .iter()
        .map(|column| match column.column_type() {
            ColumnType::Scalar(kind) => prop::option::of(scalar(kind)).boxed(),
            ColumnType::List(kind) => {
                prop::option::of(prop::collection::vec(scalar(kind), 0..3).prop_map(Value::List))
                    .boxed()
            }
        })
        .collect::<Vec<_>>()
}

pub(crate) struct Bind<'a>(pub(crate) &'a SqlValue);

impl ToSql for Bind<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Owned(match self.0 {
            SqlValue::Null => Bound::Null,
            SqlValue::Bool(v) => Bound::Integer(i64::from(*v)),
            SqlValue::Integer(v) => Bound::Integer(*v),
            SqlValue::Real(v) => Bound::Real(*v),
            SqlValue::Text(v) => Bound::Text(v.clone()),
            SqlValue::Blob(v) => Bound::Blob(v.clone()),
            SqlValue::Uuid(v) => Bound::Text(v.to_string()),
            SqlValue::Timestamp(v) => Bound::Text(v.to_string()),
        }))
    }
}

/// A database that holds the rows under the ids 0, 1, ….
pub(crate) fn database(rows: &[Row]) -> Connection {
    let schema = schema();
    let tables = Tables::of(&schema);
    let connection = Connection::open_in_memory().unwrap();
    for statement in tables.create(&schema, &Sqlite) {
        connection.execute_batch(&statement).unwrap();
    }
    for (id, row) in (0i64..).zip(rows) {
        insert(&connection, &schema, &tables, id, row);
    }
    connection
}

fn insert(connection: &Connection, schema: &Schema, tables: &Tables, id: i64, row: &Row) {
    let mut names = vec![
        "doc".to_owned(),
        "tenant".into(),
        "id".into(),
        "body".into(),
    ];
    let mut values = vec![
        SqlValue::Integer(id + 1),
        SqlValue::Text(String::new()),
        SqlValue::Integer(id),
        SqlValue::Text("{}".into()),
    ];
    for (column, value) in schema.columns().iter().zip(row) {
        let Some(value) = value else { continue };
        names.push(field_column(column.name()));
        let Value::List(items) = value else {
            values.push(encode(value).unwrap());
            continue;
        };
        values.push(SqlValue::Integer(1));
        for item in items {
            let item = encode(item).unwrap();
            let sql = format!("INSERT OR IGNORE INTO {} VALUES (?1, ?2, ?3)", tables.lists);
            connection
                .execute(&sql, (column.name(), Bind(&item), id + 1))
                .unwrap();
        }
    }
    let places = vec!["?"; names.len()].join(", ");
    let sql = format!(
        "INSERT INTO {} ({}) VALUES ({places})",
        tables.documents,
        names.join(", ")
    );
    connection
        .execute(&sql, params_from_iter(values.iter().map(Bind)))
        .unwrap();
}
