//! The values of filterable fields, and their types.

mod column_value;
mod text_value;
mod timestamp;

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use column_value::{ColumnValue, Operand};
pub use text_value::TextValue;
pub use timestamp::Timestamp;

/// A value of a filterable field. Absence is `Option::None` beside it, never a value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A signed integer.
    I64(i64),
    /// An unsigned integer.
    U64(u64),
    /// A finite floating-point number.
    F64(f64),
    /// Text, compared by code point.
    Text(String),
    /// A UUID.
    Uuid(Uuid),
    /// A point in time, to the microsecond.
    Timestamp(Timestamp),
    /// A list of scalars of one type. An empty list is present, not absent.
    List(Vec<Value>),
}

impl Value {
    /// The scalar type of this value, or of this list's elements where it has any.
    pub fn scalar_type(&self) -> Option<ScalarType> {
        Some(match self {
            Self::Bool(_) => ScalarType::Bool,
            Self::I64(_) => ScalarType::I64,
            Self::U64(_) => ScalarType::U64,
            Self::F64(_) => ScalarType::F64,
            Self::Text(_) => ScalarType::Text,
            Self::Uuid(_) => ScalarType::Uuid,
            Self::Timestamp(_) => ScalarType::Timestamp,
            Self::List(items) => return items.first().and_then(Self::scalar_type),
        })
    }

    /// What to call this value's type in a message.
    pub fn type_name(&self) -> String {
        match self {
            Self::List(items) => match items.first() {
                Some(item) => format!("list of {}", item.type_name()),
                None => "empty list".to_owned(),
            },
            scalar => scalar
                .scalar_type()
                .map_or_else(|| "value".to_owned(), |t| t.to_string()),
        }
    }

    /// The order of two scalars of one type: numbers as numbers, text by code
    /// point, `false` before `true`. `None` between types, for lists and for NaN.
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => Some(a.cmp(b)),
            (Self::I64(a), Self::I64(b)) => Some(a.cmp(b)),
            (Self::U64(a), Self::U64(b)) => Some(a.cmp(b)),
            (Self::F64(a), Self::F64(b)) => a.partial_cmp(b),
            (Self::Text(a), Self::Text(b)) => Some(a.cmp(b)),
            (Self::Uuid(a), Self::Uuid(b)) => Some(a.cmp(b)),
            (Self::Timestamp(a), Self::Timestamp(b)) => Some(a.cmp(b)),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(v) => v.fmt(f),
            Self::I64(v) => v.fmt(f),
            Self::U64(v) => v.fmt(f),
            Self::F64(v) => v.fmt(f),
            Self::Text(v) => write!(f, "{v:?}"),
            Self::Uuid(v) => v.fmt(f),
            Self::Timestamp(v) => v.fmt(f),
            Self::List(items) => {
                f.write_str("[")?;
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    item.fmt(f)?;
                }
                f.write_str("]")
            }
        }
    }
}

/// The type of one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ScalarType {
    /// `bool`.
    Bool,
    /// Signed integers up to 64 bits.
    I64,
    /// Unsigned integers up to 64 bits, in numeric order.
    U64,
    /// Finite floating-point numbers.
    F64,
    /// Text.
    Text,
    /// UUIDs.
    Uuid,
    /// UTC timestamps to the microsecond.
    Timestamp,
}

impl fmt::Display for ScalarType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bool => "bool",
            Self::I64 => "i64",
            Self::U64 => "u64",
            Self::F64 => "f64",
            Self::Text => "text",
            Self::Uuid => "uuid",
            Self::Timestamp => "timestamp",
        })
    }
}

/// The type of a filterable field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnType {
    /// One value.
    Scalar(ScalarType),
    /// A list of values of one type.
    List(ScalarType),
}

impl ColumnType {
    /// Whether `value` may be stored in a field of this type: its type, and finite where it is a number.
    pub fn accepts(self, value: &Value) -> bool {
        match (self, value) {
            (Self::List(element), Value::List(items)) => {
                items.iter().all(|item| Self::Scalar(element).accepts(item))
            }
            (_, Value::List(_)) | (Self::List(_), _) => false,
            (Self::Scalar(scalar), value) => {
                value.scalar_type() == Some(scalar)
                    && !matches!(value, Value::F64(v) if !v.is_finite())
            }
        }
    }
}

impl fmt::Display for ColumnType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(scalar) => scalar.fmt(f),
            Self::List(scalar) => write!(f, "list of {scalar}"),
        }
    }
}
