//! Judging an expression against a schema, before any store sees it (rules F2, F4).

use super::{Compare, Expr};
use crate::{ColumnType, Error, ErrorKind, Result, ScalarType, Schema, Value};

/// How many levels of `and`, `or` and `not` a filter may nest, on every store.
pub const MAX_FILTER_DEPTH: usize = 256;

impl Expr {
    /// Refuses fields that are not indexed, values of another type, and operators
    /// that the field's type does not have. The message names field and types.
    ///
    /// Refused as well: operands nested deeper than [`MAX_FILTER_DEPTH`], which no
    /// store could be sure to follow. A run of one operator is one level, however long.
    ///
    /// # Errors
    ///
    /// `UnknownField`, `NotIndexed`, `TypeMismatch`; `InvalidOption` for a filter nested too deeply.
    pub fn check(&self, schema: &Schema) -> Result<()> {
        self.check_within(schema, MAX_FILTER_DEPTH)
    }

    fn check_within(&self, schema: &Schema, levels: usize) -> Result<()> {
        let Some(below) = levels.checked_sub(1) else {
            return Err(Error::new(
                ErrorKind::InvalidOption,
                format!(
                    "the filter nests deeper than {MAX_FILTER_DEPTH} levels; write alternatives as one `or`, or as a list with `in`"
                ),
            ));
        };
        match self {
            Self::Constant(_) => Ok(()),
            Self::And(parts) | Self::Or(parts) => parts
                .iter()
                .try_for_each(|part| part.check_within(schema, below)),
            Self::Not(inner) => inner.check_within(schema, below),
            Self::Compare { field, op, value } => {
                let operator = match op {
                    Compare::Eq | Compare::Ne => Operator::Equality,
                    _ => Operator::Order,
                };
                operand(schema, field, operator, [value])
            }
            Self::Between { field, low, high } => {
                operand(schema, field, Operator::Order, [low, high])
            }
            Self::In { field, values } => operand(schema, field, Operator::Equality, values),
            Self::IsNull { field } => schema.filterable(field).map(drop),
            Self::StartsWith { field, .. } => text(schema, field, "starts_with"),
            Self::Contains { field, .. } => text(schema, field, "contains"),
            Self::ContainsAny { field, values } | Self::ContainsAll { field, values } => {
                operand(schema, field, Operator::Membership, values)
            }
            Self::Extension { field, .. } => schema.filterable(field).map(drop),
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Operator {
    Equality,
    Order,
    Membership,
}

fn operand<'a>(
    schema: &Schema,
    field: &str,
    operator: Operator,
    values: impl IntoIterator<Item = &'a Value>,
) -> Result<()> {
    let column = schema.filterable(field)?.column_type();
    let scalar = match (column, operator) {
        (ColumnType::List(scalar), Operator::Membership)
        | (ColumnType::Scalar(scalar), Operator::Equality | Operator::Order) => scalar,
        (ColumnType::List(_), _) => {
            return Err(mismatch(format!(
                "field `{field}` of `{schema}` is a {column}; a list is asked what it contains, not compared"
            )));
        }
        (ColumnType::Scalar(_), Operator::Membership) => {
            return Err(mismatch(format!(
                "field `{field}` of `{schema}` is of type {column}, not a list; compare it instead"
            )));
        }
    };
    for value in values {
        if !ColumnType::Scalar(scalar).accepts(value) {
            let problem = match value {
                Value::F64(v) if scalar == ScalarType::F64 => format!("{v} is not finite"),
                other => format!("field is {scalar}, but {other} is {}", other.type_name()),
            };
            return Err(mismatch(format!(
                "field `{field}` of `{schema}`: {problem}"
            )));
        }
    }
    Ok(())
}

fn text(schema: &Schema, field: &str, operator: &str) -> Result<()> {
    match schema.filterable(field)?.column_type() {
        ColumnType::Scalar(ScalarType::Text) => Ok(()),
        other => Err(mismatch(format!(
            "field `{field}` of `{schema}` is of type {other}; `{operator}` with characters needs text"
        ))),
    }
}

fn mismatch(message: String) -> Error {
    Error::new(ErrorKind::TypeMismatch, message)
}
