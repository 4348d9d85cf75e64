//! The meaning of a filter, said once more and without SQL.

use std::cmp::Ordering;

use ermine_core::{Compare, Expr, Schema, Value};

use crate::rows::Row;

pub(crate) fn passes(schema: &Schema, expr: &Expr, id: i64, row: &Row) -> bool {
    let stored = |field: &str| {
        if field == schema.id_name() {
            return Some(Value::I64(id));
        }
        let at = schema.columns().iter().position(|c| c.name() == field);
        row[at.unwrap()].clone()
    };
    let compare = |field: &str, value: &Value| stored(field)?.compare(value);
    let text = |field: &str| match stored(field) {
        Some(Value::Text(text)) => Some(text),
        _ => None,
    };
    let list = |field: &str| match stored(field) {
        Some(Value::List(items)) => Some(items),
        _ => None,
    };
    match expr {
        Expr::Constant(value) => *value,
        Expr::Not(inner) => !passes(schema, inner, id, row),
        Expr::And(parts) => parts.iter().all(|part| passes(schema, part, id, row)),
        Expr::Or(parts) => parts.iter().any(|part| passes(schema, part, id, row)),
        Expr::Compare { field, op, value } => {
            let order = compare(field, value);
            match op {
                Compare::Eq => order == Some(Ordering::Equal),
                Compare::Ne => order != Some(Ordering::Equal),
                Compare::Lt => order.is_some_and(Ordering::is_lt),
                Compare::Le => order.is_some_and(Ordering::is_le),
                Compare::Gt => order.is_some_and(Ordering::is_gt),
                Compare::Ge => order.is_some_and(Ordering::is_ge),
            }
        }
        Expr::Between { field, low, high } => {
            compare(field, low).is_some_and(Ordering::is_ge)
                && compare(field, high).is_some_and(Ordering::is_le)
        }
        Expr::In { field, values } => values
            .iter()
            .any(|value| compare(field, value) == Some(Ordering::Equal)),
        Expr::IsNull { field } => stored(field).is_none(),
        Expr::StartsWith { field, prefix } => text(field).is_some_and(|t| t.starts_with(prefix)),
        Expr::Contains { field, text: part } => text(field).is_some_and(|t| t.contains(part)),
        Expr::ContainsAny { field, values } => {
            list(field).is_some_and(|items| values.iter().any(|value| items.contains(value)))
        }
        Expr::ContainsAll { field, values } => {
            list(field).is_some_and(|items| values.iter().all(|value| items.contains(value)))
        }
        other => panic!("{other}"),
    }
}
