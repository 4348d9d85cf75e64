//! Filters, evaluated as they are written.

use std::cmp::Ordering;

use std::collections::BTreeMap;

use ermine_core::{Compare, Error, ErrorKind, Expr, Filterable, Id, Result, Schema, Value};

/// The values a filter sees of one document.
pub(super) struct Values<'a> {
    pub(super) schema: &'a Schema,
    /// `None` for the document that lacks everything.
    pub(super) id: Option<&'a Id>,
    pub(super) columns: &'a BTreeMap<String, Value>,
}

/// Refuses a filter with an operator that nobody here knows, whatever is stored (rule F5).
pub(super) fn check(schema: &Schema, filter: &Expr) -> Result<()> {
    let lacks_everything = Values {
        schema,
        id: None,
        columns: &BTreeMap::new(),
    };
    lacks_everything.pass(filter).map(drop)
}

impl Values<'_> {
    /// Whether the document passes. Every operand is evaluated, needed or not, so
    /// that a refusal does not depend on what is stored.
    pub(super) fn pass(&self, filter: &Expr) -> Result<bool> {
        Ok(match filter {
            Expr::Constant(constant) => *constant,
            Expr::Compare { field, op, value } => {
                let order = self.value(field)?.and_then(|stored| stored.compare(value));
                match op {
                    Compare::Eq => order == Some(Ordering::Equal),
                    Compare::Ne => order != Some(Ordering::Equal),
                    Compare::Lt => order.is_some_and(Ordering::is_lt),
                    Compare::Le => order.is_some_and(Ordering::is_le),
                    Compare::Gt => order.is_some_and(Ordering::is_gt),
                    Compare::Ge => order.is_some_and(Ordering::is_ge),
                }
            }
            Expr::Between { field, low, high } => self.value(field)?.is_some_and(|stored| {
                stored.compare(low).is_some_and(Ordering::is_ge)
                    && stored.compare(high).is_some_and(Ordering::is_le)
            }),
            Expr::In { field, values } => self
                .value(field)?
                .is_some_and(|stored| values.iter().any(|value| equal(&stored, value))),
            Expr::IsNull { field } => self.value(field)?.is_none(),
            Expr::StartsWith { field, prefix } => {
                matches!(self.value(field)?, Some(Value::Text(stored)) if stored.starts_with(prefix))
            }
            Expr::Contains { field, text } => {
                matches!(self.value(field)?, Some(Value::Text(stored)) if stored.contains(text))
            }
            Expr::ContainsAny { field, values } => self
                .items(field)?
                .is_some_and(|items| values.iter().any(|value| holds(&items, value))),
            Expr::ContainsAll { field, values } => self
                .items(field)?
                .is_some_and(|items| values.iter().all(|value| holds(&items, value))),
            Expr::And(parts) => self.each(parts)?.into_iter().all(|pass| pass),
            Expr::Or(parts) => self.each(parts)?.into_iter().any(|pass| pass),
            Expr::Not(part) => !self.pass(part)?,
            Expr::Extension { name, .. } => {
                return Err(Error::new(
                    ErrorKind::Unsupported,
                    format!("the reference store has no filter operator `{name}`"),
                ));
            }
            other => {
                return Err(Error::new(
                    ErrorKind::Unsupported,
                    format!("the reference store does not know the filter `{other}`"),
                ));
            }
        })
    }

    fn each(&self, parts: &[Expr]) -> Result<Vec<bool>> {
        parts.iter().map(|part| self.pass(part)).collect()
    }

    fn value(&self, field: &str) -> Result<Option<Value>> {
        Ok(match self.schema.filterable(field)? {
            Filterable::Id(_) => self.id.map(id_value),
            Filterable::Column(..) => self.columns.get(field).cloned(),
        })
    }

    fn items(&self, field: &str) -> Result<Option<Vec<Value>>> {
        Ok(match self.value(field)? {
            Some(Value::List(items)) => Some(items),
            _ => None,
        })
    }
}

/// An id as the value its field filters and orders by.
pub(super) fn id_value(id: &Id) -> Value {
    match id {
        Id::Uuid(id) => Value::Uuid(*id),
        Id::Text(id) => Value::Text(id.clone()),
        Id::I64(id) => Value::I64(*id),
        Id::U64(id) => Value::U64(*id),
    }
}

fn equal(a: &Value, b: &Value) -> bool {
    a.compare(b) == Some(Ordering::Equal)
}

fn holds(items: &[Value], value: &Value) -> bool {
    items.iter().any(|item| equal(item, value))
}
