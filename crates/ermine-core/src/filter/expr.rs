//! The filter expression: plain data, serialisable, the same for every store.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::field_name::FieldName;
use crate::Value;

/// A predicate as written, with fields by name.
///
/// It displays as a filter's text: `year >= 1960 and not tags contains "draft"`.
/// A name that could be misread there stands in backquotes.
///
/// It may grow: a store refuses a node it does not know, by name (rule F5).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Expr {
    /// Always true, or always false.
    Constant(bool),
    /// `field op value`; false where the field is absent, except for `ne`.
    Compare {
        /// The field.
        field: String,
        /// The operator.
        op: Compare,
        /// The value on the right.
        value: Value,
    },
    /// `low <= field <= high`; false when the bounds cross.
    Between {
        /// The field.
        field: String,
        /// The inclusive lower bound.
        low: Value,
        /// The inclusive upper bound.
        high: Value,
    },
    /// The field equals one of the values; of none, never.
    In {
        /// The field.
        field: String,
        /// The values.
        values: Vec<Value>,
    },
    /// The field is absent.
    IsNull {
        /// The field.
        field: String,
    },
    /// The text field begins with these characters, taken literally.
    StartsWith {
        /// The field.
        field: String,
        /// The characters it begins with.
        prefix: String,
    },
    /// The text field holds these characters somewhere, taken literally.
    Contains {
        /// The field.
        field: String,
        /// The characters it holds.
        text: String,
    },
    /// The list field holds at least one of the values; of none, never.
    ContainsAny {
        /// The field.
        field: String,
        /// The values.
        values: Vec<Value>,
    },
    /// The list field is present and holds every one of the values.
    ContainsAll {
        /// The field.
        field: String,
        /// The values.
        values: Vec<Value>,
    },
    /// Every operand holds; of none, true.
    And(Vec<Expr>),
    /// Some operand holds; of none, false.
    Or(Vec<Expr>),
    /// The exact complement of the operand.
    Not(Box<Expr>),
    /// An operator that a later version or a particular store defines; stores
    /// that do not know its name refuse it.
    Extension {
        /// The operator.
        name: String,
        /// The field it reads.
        field: String,
        /// Its operands.
        operands: Vec<Value>,
    },
}

/// A comparison operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Compare {
    /// Equal.
    Eq,
    /// Not equal; also true of an absent field.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
}

impl Expr {
    /// Both hold; chains flatten.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        if let Self::And(all) = &mut self {
            all.push(other);
            return self;
        }
        Self::And(vec![self, other])
    }

    /// Either holds; chains flatten.
    #[must_use]
    pub fn or(mut self, other: Self) -> Self {
        if let Self::Or(any) = &mut self {
            any.push(other);
            return self;
        }
        Self::Or(vec![self, other])
    }

    /// Takes the operands out; what is left has none.
    fn take_operands(&mut self) -> Vec<Self> {
        match self {
            Self::And(operands) | Self::Or(operands) => std::mem::take(operands),
            Self::Not(operand) => vec![std::mem::replace(&mut **operand, Self::Constant(true))],
            _ => Vec::new(),
        }
    }

    fn is_compound(&self) -> bool {
        matches!(self, Self::And(all) | Self::Or(all) if all.len() > 1)
    }
}

/// Operands are dropped one after the other and not within each other, which for an
/// expression nested deeply enough would need more stack than there is.
impl Drop for Expr {
    fn drop(&mut self) {
        let mut operands = self.take_operands();
        while let Some(mut operand) = operands.pop() {
            operands.append(&mut operand.take_operands());
        }
    }
}

impl fmt::Display for Compare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Eq => "=",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
        })
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |values: &[Value]| Value::List(values.to_vec()).to_string();
        match self {
            Self::Constant(value) => value.fmt(f),
            Self::Compare { field, op, value } => write!(f, "{} {op} {value}", FieldName(field)),
            Self::Between { field, low, high } => {
                write!(f, "{} between {low} and {high}", FieldName(field))
            }
            Self::In { field, values } => write!(f, "{} in {}", FieldName(field), list(values)),
            Self::IsNull { field } => write!(f, "{} is null", FieldName(field)),
            Self::StartsWith { field, prefix } => {
                write!(f, "{} starts_with {prefix:?}", FieldName(field))
            }
            Self::Contains { field, text } => write!(f, "{} contains {text:?}", FieldName(field)),
            Self::ContainsAny { field, values } => match values.as_slice() {
                [value] => write!(f, "{} contains {value}", FieldName(field)),
                values => write!(f, "{} contains any {}", FieldName(field), list(values)),
            },
            Self::ContainsAll { field, values } => {
                write!(f, "{} contains all {}", FieldName(field), list(values))
            }
            Self::And(all) => join(f, all, " and ", "true"),
            Self::Or(any) => join(f, any, " or ", "false"),
            Self::Not(inner) if inner.is_compound() => write!(f, "not ({inner})"),
            Self::Not(inner) => write!(f, "not {inner}"),
            Self::Extension {
                name,
                field,
                operands,
            } => write!(f, "{} {name} {}", FieldName(field), list(operands)),
        }
    }
}

fn join(f: &mut fmt::Formatter<'_>, parts: &[Expr], between: &str, empty: &str) -> fmt::Result {
    if parts.is_empty() {
        return f.write_str(empty);
    }
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            f.write_str(between)?;
        }
        if part.is_compound() {
            write!(f, "({part})")?;
        } else {
            write!(f, "{part}")?;
        }
    }
    Ok(())
}
