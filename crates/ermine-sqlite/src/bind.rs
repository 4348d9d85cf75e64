//! Values on their way into and out of statements.

use ermine_core::{Id, IdType, Result, Schema, TenantId};
use ermine_sql::{Sql, SqlValue};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Row, Statement, ToSql};
use uuid::Uuid;

use crate::error::corrupt;

/// A value of a statement, as the driver binds it.
pub(crate) struct Bind<'a>(pub(crate) &'a SqlValue);

impl ToSql for Bind<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let text = |text: String| Ok(ToSqlOutput::Owned(Value::Text(text)));
        Ok(ToSqlOutput::Borrowed(match self.0 {
            SqlValue::Bool(v) => ValueRef::Integer(i64::from(*v)),
            SqlValue::Uuid(v) => return text(v.hyphenated().to_string()),
            SqlValue::Timestamp(v) => return text(v.to_string()),
            SqlValue::Null => ValueRef::Null,
            SqlValue::Integer(v) => ValueRef::Integer(*v),
            SqlValue::Real(v) => ValueRef::Real(*v),
            SqlValue::Text(v) => ValueRef::Text(v.as_bytes()),
            SqlValue::Blob(v) => ValueRef::Blob(v),
        }))
    }
}

/// Binds everything a built statement holds.
pub(crate) fn bind_all(statement: &mut Statement<'_>, sql: &Sql) -> rusqlite::Result<()> {
    for (at, value) in sql.values().iter().enumerate() {
        statement.raw_bind_parameter(at + 1, Bind(value))?;
    }
    Ok(())
}

/// The stored form of a tenant.
pub(crate) fn tenant_text(tenant: Option<&TenantId>) -> &str {
    tenant.map_or("", TenantId::as_str)
}

/// A tenant back from its stored form.
pub(crate) fn read_tenant(schema: &Schema, text: &str) -> Result<Option<TenantId>> {
    if text.is_empty() {
        return Ok(None);
    }
    TenantId::new(text)
        .map(Some)
        .map_err(|e| e.in_context(format!("a document of `{schema}` has a damaged tenant")))
}

/// An id back from its stored form, in column `at`.
pub(crate) fn read_id(schema: &Schema, row: &Row<'_>, at: usize) -> Result<Id> {
    let value = row
        .get_ref(at)
        .map_err(crate::error::storage("reading an id"))?;
    let id = match (schema.id_type(), value) {
        (IdType::Text, ValueRef::Text(text)) => std::str::from_utf8(text)
            .ok()
            .map(|t| Id::Text(t.to_owned())),
        (IdType::Uuid, ValueRef::Text(text)) => Uuid::try_parse_ascii(text).ok().map(Id::Uuid),
        (IdType::I64, ValueRef::Integer(v)) => Some(Id::I64(v)),
        // The sign bit flipped, as it was written.
        (IdType::U64, ValueRef::Integer(v)) => Some(Id::U64(v.cast_unsigned() ^ (1 << 63))),
        _ => None,
    };
    id.ok_or_else(|| {
        corrupt(format!(
            "a document of `{schema}` has the stored id {value:?}, which is no {}; correct or delete the row",
            schema.id_type()
        ))
    })
}
