//! How Rust types become column values, and what may stand on the right of a comparison.

use uuid::Uuid;

use super::{ColumnType, ScalarType, Timestamp, Value};

/// A Rust type that can be a filterable field.
///
/// `Kind` is the type its column compares as; every integer width shares one.
/// Implement it for a newtype or an enum to index it; the value must then agree
/// with what serde writes.
///
/// ```
/// use ermine_core::{ColumnType, ColumnValue, ScalarType, Value};
///
/// enum Severity { Low, High }
///
/// impl ColumnValue for Severity {
///     type Kind = String;
///     const TYPE: ColumnType = ColumnType::Scalar(ScalarType::Text);
///     fn to_value(&self) -> Option<Value> {
///         Some(Value::Text(match self { Self::Low => "low", Self::High => "high" }.into()))
///     }
/// }
/// assert_eq!(Some(Severity::High).to_value(), Some(Value::Text("high".into())));
/// assert_eq!(None::<Severity>.to_value(), None);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an indexed field",
    label = "not the type of a column",
    note = "index a `bool`, an integer of at most 64 bits, a float, a `String`, a `Uuid`, a `Timestamp`, an `Option` or a `Vec` of one of these, or a type that implements `ColumnValue`"
)]
pub trait ColumnValue {
    /// The type the column compares as: `bool`, `i64`, `u64`, `f64`, `String`,
    /// `Uuid`, `Timestamp`, or a `Vec` of one of them.
    type Kind;
    /// The column type.
    const TYPE: ColumnType;
    /// The value to store; `None` where it is absent.
    fn to_value(&self) -> Option<Value>;
}

/// What may stand on the right of a comparison with a column of kind `K`.
#[diagnostic::on_unimplemented(
    message = "a column of `{K}` does not compare with `{Self}`",
    label = "not a value of the column's type"
)]
pub trait Operand<K> {
    /// The value to compare with.
    fn into_value(self) -> Value;
}

macro_rules! columns {
    ($($rust:ty, $kind:ty, $variant:ident, |$v:ident| $value:expr;)*) => {$(
        impl ColumnValue for $rust {
            type Kind = $kind;
            const TYPE: ColumnType = ColumnType::Scalar(ScalarType::$variant);
            fn to_value(&self) -> Option<Value> {
                let $v = self;
                Some(Value::$variant($value))
            }
        }
    )*};
}

columns! {
    bool, bool, Bool, |v| *v;
    i8, i64, I64, |v| i64::from(*v);
    i16, i64, I64, |v| i64::from(*v);
    i32, i64, I64, |v| i64::from(*v);
    i64, i64, I64, |v| *v;
    u8, u64, U64, |v| u64::from(*v);
    u16, u64, U64, |v| u64::from(*v);
    u32, u64, U64, |v| u64::from(*v);
    u64, u64, U64, |v| *v;
    f32, f64, F64, |v| f64::from(*v);
    f64, f64, F64, |v| *v;
    String, String, Text, |v| v.clone();
    Uuid, Uuid, Uuid, |v| *v;
    Timestamp, Timestamp, Timestamp, |v| *v;
}

impl<T: ColumnValue> ColumnValue for Option<T> {
    type Kind = T::Kind;
    const TYPE: ColumnType = T::TYPE;
    fn to_value(&self) -> Option<Value> {
        self.as_ref().and_then(T::to_value)
    }
}

/// A list; an element without a value is left out.
impl<T: ColumnValue> ColumnValue for Vec<T> {
    type Kind = Vec<T::Kind>;
    const TYPE: ColumnType = match T::TYPE {
        ColumnType::Scalar(scalar) => ColumnType::List(scalar),
        ColumnType::List(_) => panic!("a list of lists cannot be indexed"),
    };
    fn to_value(&self) -> Option<Value> {
        Some(Value::List(self.iter().filter_map(T::to_value).collect()))
    }
}

macro_rules! operands {
    ($($kind:ty: $($rust:ty => |$v:ident| $value:expr),+ $(,)?;)*) => {$($(
        impl Operand<$kind> for $rust {
            fn into_value(self) -> Value {
                let $v = self;
                $value
            }
        }
    )+)*};
}

macro_rules! operands_by_reference {
    ($($kind:ty: $($rust:ty),+;)*) => {$($(
        impl Operand<$kind> for &$rust {
            fn into_value(self) -> Value {
                Operand::<$kind>::into_value(*self)
            }
        }
    )+)*};
}

operands_by_reference! {
    bool: bool;
    i64: i8, i16, i32, i64, u8, u16, u32;
    u64: u8, u16, u32, u64, i32;
    f64: f32, f64, i32;
}

// An integer literal falls back to `i32`, so every numeric kind takes one. A
// negative one against an unsigned column keeps its own type and is refused
// with both types named, instead of being wrapped into a large number.
operands! {
    bool: bool => |v| Value::Bool(v);
    i64: i8 => |v| Value::I64(v.into()), i16 => |v| Value::I64(v.into()),
         i32 => |v| Value::I64(v.into()), i64 => |v| Value::I64(v),
         u8 => |v| Value::I64(v.into()), u16 => |v| Value::I64(v.into()),
         u32 => |v| Value::I64(v.into());
    u64: u8 => |v| Value::U64(v.into()), u16 => |v| Value::U64(v.into()),
         u32 => |v| Value::U64(v.into()), u64 => |v| Value::U64(v),
         i32 => |v| u64::try_from(v).map_or(Value::I64(v.into()), Value::U64);
    f64: f32 => |v| Value::F64(v.into()), f64 => |v| Value::F64(v), i32 => |v| Value::F64(v.into());
    String: &str => |v| Value::Text(v.to_owned()), String => |v| Value::Text(v),
            &String => |v| Value::Text(v.clone());
    Uuid: Uuid => |v| Value::Uuid(v), &Uuid => |v| Value::Uuid(*v);
    Timestamp: Timestamp => |v| Value::Timestamp(v), &Timestamp => |v| Value::Timestamp(*v);
}
