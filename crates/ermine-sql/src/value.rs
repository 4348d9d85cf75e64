//! How values are stored, so that the database's order is Ermine's (rule F3).

use ermine_core::{Id, TenantId, Timestamp, Value};
use uuid::Uuid;

/// A value as it is bound. A database without a type of its own for one of these
/// keeps it in one whose order is the same.
#[derive(Debug, Clone, PartialEq)]
pub enum SqlValue {
    /// No value.
    Null,
    /// A truth value; 0 or 1 where there is no such type.
    Bool(bool),
    /// A 64-bit signed integer.
    Integer(i64),
    /// A floating-point number.
    Real(f64),
    /// Text.
    Text(String),
    /// Bytes.
    Blob(Vec<u8>),
    /// A UUID; lowercase hyphenated text where there is no such type.
    Uuid(Uuid),
    /// A point in time; text of a fixed width where there is no such type.
    Timestamp(Timestamp),
}

/// The stored form of a scalar; `None` for a list, whose elements are stored one by one.
///
/// ```
/// use ermine_core::Value;
/// use ermine_sql::{SqlValue, encode};
///
/// assert_eq!(encode(&Value::Bool(true)), Some(SqlValue::Bool(true)));
/// assert_eq!(encode(&Value::U64(0)), Some(SqlValue::Integer(i64::MIN)));
/// ```
pub fn encode(value: &Value) -> Option<SqlValue> {
    Some(match value {
        Value::Bool(v) => SqlValue::Bool(*v),
        Value::I64(v) => SqlValue::Integer(*v),
        Value::U64(v) => SqlValue::Integer(encode_u64(*v)),
        Value::F64(v) => SqlValue::Real(*v),
        Value::Text(v) => SqlValue::Text(v.clone()),
        Value::Uuid(v) => SqlValue::Uuid(*v),
        Value::Timestamp(v) => SqlValue::Timestamp(*v),
        _ => return None,
    })
}

/// An unsigned integer as the signed one of the same rank: the sign bit flipped,
/// so that signed order is unsigned order. Its own inverse, but for the type.
pub fn encode_u64(value: u64) -> i64 {
    (value ^ (1 << 63)).cast_signed()
}

/// The stored form of an id.
pub fn encode_id(id: &Id) -> SqlValue {
    match id {
        Id::Uuid(id) => SqlValue::Uuid(*id),
        Id::Text(id) => SqlValue::Text(id.clone()),
        Id::I64(id) => SqlValue::Integer(*id),
        Id::U64(id) => SqlValue::Integer(encode_u64(*id)),
    }
}

/// The stored form of a tenant: its name, or the empty text for a type without
/// tenants. No tenant's name is empty.
pub fn encode_tenant(tenant: Option<&TenantId>) -> SqlValue {
    SqlValue::Text(tenant.map_or_else(String::new, |tenant| tenant.as_str().to_owned()))
}
