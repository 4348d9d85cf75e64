//! Values on their way into and out of statements.

use std::borrow::Cow;
use std::error::Error as StdError;

use ermine_core::{Id, IdType, Result, Schema, TenantId, Vector};
use ermine_sql::{Sql, SqlValue};
use tokio_postgres::Row;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use uuid::Uuid;

use crate::error::{corrupt, storage};

/// Microseconds from 1970, where Ermine counts from, to 2000, where PostgreSQL does.
const EPOCH: i64 = 946_684_800_000_000;

/// A statement's values, each with its type: nothing has to be asked before it is sent.
pub(crate) type Values<'a> = Vec<(&'a (dyn ToSql + Sync), Type)>;

/// A value of a statement, as the driver binds it.
#[derive(Debug)]
pub(crate) struct Bind<'a>(pub(crate) Cow<'a, SqlValue>);

impl<'a> Bind<'a> {
    pub(crate) fn of(value: &'a SqlValue) -> Self {
        Self(Cow::Borrowed(value))
    }

    pub(crate) fn owned(value: SqlValue) -> Self {
        Self(Cow::Owned(value))
    }
}

impl ToSql for Bind<'_> {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> std::result::Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match &*self.0 {
            SqlValue::Null => Ok(IsNull::Yes),
            SqlValue::Bool(v) => v.to_sql(ty, out),
            SqlValue::Integer(v) => v.to_sql(ty, out),
            SqlValue::Real(v) => v.to_sql(ty, out),
            SqlValue::Text(v) => v.to_sql(ty, out),
            SqlValue::Blob(v) => v.to_sql(ty, out),
            SqlValue::Uuid(v) => v.to_sql(ty, out),
            // The binary form of timestamptz.
            SqlValue::Timestamp(v) => (v.unix_micros() - EPOCH).to_sql(&Type::INT8, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// The type a value is bound as.
pub(crate) fn type_of(value: &SqlValue) -> Type {
    match value {
        SqlValue::Null | SqlValue::Text(_) => Type::TEXT,
        SqlValue::Bool(_) => Type::BOOL,
        SqlValue::Integer(_) => Type::INT8,
        SqlValue::Real(_) => Type::FLOAT8,
        SqlValue::Blob(_) => Type::BYTEA,
        SqlValue::Uuid(_) => Type::UUID,
        SqlValue::Timestamp(_) => Type::TIMESTAMPTZ,
    }
}

/// What a built statement binds.
pub(crate) struct Bound<'a>(Vec<(Bind<'a>, Type)>);

impl<'a> Bound<'a> {
    pub(crate) fn of(sql: &'a Sql) -> Self {
        let bind = |value| (Bind::of(value), type_of(value));
        Self(sql.values().iter().map(bind).collect())
    }

    pub(crate) fn values(&self) -> Values<'_> {
        let value = |(_, ty): &(Bind<'a>, Type)| ty.clone();
        self.0
            .iter()
            .map(|bound| (&bound.0 as &(dyn ToSql + Sync), value(bound)))
            .collect()
    }
}

/// A vector in pgvector's binary form: the number of elements, and they, each most
/// significant byte first.
#[derive(Debug)]
pub(crate) struct VectorData<'a>(pub(crate) &'a [f32]);

impl ToSql for VectorData<'_> {
    fn to_sql(
        &self,
        _: &Type,
        out: &mut BytesMut,
    ) -> std::result::Result<IsNull, Box<dyn StdError + Sync + Send>> {
        out.extend_from_slice(&u16::try_from(self.0.len())?.to_be_bytes());
        out.extend_from_slice(&[0, 0]);
        for element in self.0 {
            out.extend_from_slice(&element.to_be_bytes());
        }
        Ok(IsNull::No)
    }

    fn accepts(ty: &Type) -> bool {
        ty.name() == "vector"
    }

    to_sql_checked!();
}

/// A vector back from the bytes of `vector_send`; `None` where they are none.
pub(crate) fn read_vector(bytes: &[u8]) -> Option<Vector> {
    let (head, elements) = bytes.split_at_checked(4)?;
    let (count, _) = head.split_first_chunk::<2>()?;
    let (elements, rest) = elements.as_chunks::<4>();
    let whole = rest.is_empty() && elements.len() == usize::from(u16::from_be_bytes(*count));
    whole.then(|| {
        let elements: Vec<f32> = elements.iter().map(|b| f32::from_be_bytes(*b)).collect();
        Vector::from(elements)
    })
}

/// The stored form of a tenant.
pub(crate) fn tenant_text(tenant: Option<&TenantId>) -> &str {
    tenant.map_or("", TenantId::as_str)
}

/// A tenant back from its stored form, in column `at`.
pub(crate) fn read_tenant(schema: &Schema, row: &Row, at: usize) -> Result<Option<TenantId>> {
    let text: &str = row.try_get(at).map_err(storage("reading a tenant"))?;
    if text.is_empty() {
        return Ok(None);
    }
    TenantId::new(text).map(Some).map_err(|e| {
        e.in_context(format_args!(
            "a document of `{schema}` has a damaged tenant"
        ))
    })
}

/// An id back from its stored form, in column `at`.
pub(crate) fn read_id(schema: &Schema, row: &Row, at: usize) -> Result<Id> {
    let id = match schema.id_type() {
        IdType::Text => row.try_get::<_, String>(at).map(Id::Text),
        IdType::Uuid => row.try_get::<_, Uuid>(at).map(Id::Uuid),
        IdType::I64 => row.try_get::<_, i64>(at).map(Id::I64),
        // The sign bit flipped, as it was written.
        IdType::U64 => row
            .try_get::<_, i64>(at)
            .map(|v| Id::U64(v.cast_unsigned() ^ (1 << 63))),
    };
    id.map_err(|e| {
        corrupt(format!(
            "a document of `{schema}` has an id that is no {}; was its table changed by hand?",
            schema.id_type()
        ))
        .with_source(e)
    })
}

/// An array whose elements are such values.
pub(crate) fn array_of(element: &Type) -> Type {
    match *element {
        Type::BOOL => Type::BOOL_ARRAY,
        Type::INT8 => Type::INT8_ARRAY,
        Type::FLOAT8 => Type::FLOAT8_ARRAY,
        Type::UUID => Type::UUID_ARRAY,
        Type::TIMESTAMPTZ => Type::TIMESTAMPTZ_ARRAY,
        Type::BYTEA => Type::BYTEA_ARRAY,
        _ => Type::TEXT_ARRAY,
    }
}
