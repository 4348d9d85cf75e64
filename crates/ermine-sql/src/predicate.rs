//! Filters to predicates.
//!
//! Ermine's logic has two values and SQL's has three. Negations are therefore
//! pushed down to the leaves, where a negative leaf says outright that an absent
//! field satisfies it; above them there are only AND and OR, under which SQL's NULL
//! acts as false, and an index still serves the leaves.

use ermine_core::{Compare, Error, ErrorKind, Expr, Result, Schema, Value};

use crate::nul::without_nul;
use crate::tables::column;
use crate::{Lists, Sql, SqlValue, Tables, encode};

/// Whether a condition or its exact complement is written.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Polarity {
    Positive,
    Negative,
}

impl Polarity {
    fn flipped(self) -> Self {
        match self {
            Self::Positive => Self::Negative,
            Self::Negative => Self::Positive,
        }
    }
}

/// Appends the condition that a document of the table called `d` passes a filter.
///
/// Refused by name: fields that do not filter, and nodes this version does not know (rule F5).
pub fn push_filter(sql: &mut Sql, schema: &Schema, filter: &Expr) -> Result<()> {
    let mut lowering = Lowering { sql, schema };
    lowering.push(filter, Polarity::Positive)
}

struct Lowering<'a> {
    sql: &'a mut Sql,
    schema: &'a Schema,
}

impl Lowering<'_> {
    fn push(&mut self, expr: &Expr, polarity: Polarity) -> Result<()> {
        use Polarity::{Negative, Positive};
        if let Some(same) = without_nul(expr) {
            return self.push(&same, polarity);
        }
        match (expr, polarity) {
            (Expr::Constant(value), _) => {
                self.constant(*value == (polarity == Positive));
                Ok(())
            }
            (Expr::Not(inner), _) => self.push(inner, polarity.flipped()),
            (Expr::And(parts), Positive) | (Expr::Or(parts), Negative) => {
                self.join(parts, polarity, " AND ", "TRUE")
            }
            (Expr::Or(parts), Positive) | (Expr::And(parts), Negative) => {
                self.join(parts, polarity, " OR ", "FALSE")
            }
            (Expr::Compare { field, op, value }, _) => self.compare(field, *op, value, polarity),
            (Expr::Between { field, low, high }, _) => self.between(field, low, high, polarity),
            (Expr::In { field, values }, _) => self.one_of(field, values, polarity),
            (Expr::IsNull { field }, _) => {
                let (column, _) = column(self.schema, field)?;
                self.sql.push(column).push(match polarity {
                    Positive => " IS NULL",
                    Negative => " IS NOT NULL",
                });
                Ok(())
            }
            (Expr::StartsWith { field, prefix }, _) => self.starts_with(field, prefix, polarity),
            (Expr::Contains { field, text }, _) => {
                let (column, _) = column(self.schema, field)?;
                let place = self.sql.place(SqlValue::Text(text.clone()));
                let test = self.sql.dialect().contains(&column, &place);
                self.sql.push(match polarity {
                    Positive => test,
                    Negative => format!("({column} IS NULL OR NOT ({test}))"),
                });
                Ok(())
            }
            (Expr::ContainsAny { field, values }, _) => self.contains_any(field, values, polarity),
            (Expr::ContainsAll { field, values }, _) => self.contains_all(field, values, polarity),
            (Expr::Extension { name, field, .. }, _) => Err(Error::new(
                ErrorKind::Unsupported,
                format!(
                    "this store has no filter operator `{name}` (field `{field}` of `{}`); use another",
                    self.schema
                ),
            )),
            (other, _) => Err(Error::new(
                ErrorKind::Unsupported,
                format!(
                    "this store does not know the filter `{other}` over `{}`; use another, or a newer version",
                    self.schema
                ),
            )),
        }
    }

    fn constant(&mut self, value: bool) {
        self.sql.push(if value { "TRUE" } else { "FALSE" });
    }

    /// Joins as a balanced tree: databases bound how deep an expression may be,
    /// and a chain of a thousand operands is a thousand deep.
    fn join(
        &mut self,
        parts: &[Expr],
        polarity: Polarity,
        operator: &str,
        empty: &str,
    ) -> Result<()> {
        match parts {
            [] => {
                self.sql.push(empty);
                Ok(())
            }
            [only] => self.push(only, polarity),
            parts => {
                let (left, right) = parts.split_at(parts.len() / 2);
                self.sql.push("(");
                self.join(left, polarity, operator, empty)?;
                self.sql.push(operator);
                self.join(right, polarity, operator, empty)?;
                self.sql.push(")");
                Ok(())
            }
        }
    }

    /// `ne` is the complement of `eq`, true of an absent field; the orders are not
    /// complements of each other, since an absent field satisfies neither.
    fn compare(
        &mut self,
        field: &str,
        op: Compare,
        value: &Value,
        polarity: Polarity,
    ) -> Result<()> {
        let (op, polarity) = match op {
            Compare::Ne => (Compare::Eq, polarity.flipped()),
            op => (op, polarity),
        };
        let (column, _) = column(self.schema, field)?;
        let value = self.value(field, value)?;
        match polarity {
            Polarity::Positive => {
                let operator = match op {
                    Compare::Eq => "=",
                    Compare::Ne => "<>",
                    Compare::Lt => "<",
                    Compare::Le => "<=",
                    Compare::Gt => ">",
                    Compare::Ge => ">=",
                };
                self.sql.push(format!("{column} {operator} ")).bind(value);
            }
            Polarity::Negative => {
                let operator = match op {
                    Compare::Eq => "<>",
                    Compare::Ne => "=",
                    Compare::Lt => ">=",
                    Compare::Le => ">",
                    Compare::Gt => "<=",
                    Compare::Ge => "<",
                };
                self.sql
                    .push(format!("({column} IS NULL OR {column} {operator} "))
                    .bind(value)
                    .push(")");
            }
        }
        Ok(())
    }

    fn between(
        &mut self,
        field: &str,
        low: &Value,
        high: &Value,
        polarity: Polarity,
    ) -> Result<()> {
        let (column, _) = column(self.schema, field)?;
        let low = self.value(field, low)?;
        let high = self.value(field, high)?;
        match polarity {
            Polarity::Positive => {
                self.sql
                    .push(format!("({column} >= "))
                    .bind(low)
                    .push(format!(" AND {column} <= "))
                    .bind(high)
                    .push(")");
            }
            Polarity::Negative => {
                self.sql
                    .push(format!("({column} IS NULL OR {column} < "))
                    .bind(low)
                    .push(format!(" OR {column} > "))
                    .bind(high)
                    .push(")");
            }
        }
        Ok(())
    }

    fn one_of(&mut self, field: &str, values: &[Value], polarity: Polarity) -> Result<()> {
        let (column, _) = column(self.schema, field)?;
        let values = self.values(field, values)?;
        match polarity {
            _ if values.is_empty() => self.constant(polarity == Polarity::Negative),
            Polarity::Positive => {
                self.sql
                    .push(format!("{column} IN ("))
                    .bind_list(values)
                    .push(")");
            }
            Polarity::Negative => {
                self.sql
                    .push(format!("({column} IS NULL OR {column} NOT IN ("))
                    .bind_list(values)
                    .push("))");
            }
        }
        Ok(())
    }

    /// A prefix is a range of the order by code point, which an index serves.
    fn starts_with(&mut self, field: &str, prefix: &str, polarity: Polarity) -> Result<()> {
        let (column, _) = column(self.schema, field)?;
        let low = SqlValue::Text(prefix.to_owned());
        let end = end_of_prefix(prefix).map(SqlValue::Text);
        match polarity {
            Polarity::Positive => {
                self.sql.push(format!("({column} >= ")).bind(low);
                if let Some(end) = end {
                    self.sql.push(format!(" AND {column} < ")).bind(end);
                }
            }
            Polarity::Negative => {
                self.sql
                    .push(format!("({column} IS NULL OR {column} < "))
                    .bind(low);
                if let Some(end) = end {
                    self.sql.push(format!(" OR {column} >= ")).bind(end);
                }
            }
        }
        self.sql.push(")");
        Ok(())
    }

    fn contains_any(&mut self, field: &str, values: &[Value], polarity: Polarity) -> Result<()> {
        let (column, _) = column(self.schema, field)?;
        let values = self.values(field, values)?;
        match self.sql.dialect().lists() {
            _ if values.is_empty() => self.constant(polarity == Polarity::Negative),
            Lists::Table => self.holds(field, values, polarity),
            Lists::Array(_) => self.array_test(&column, "&&", values, polarity),
        }
        Ok(())
    }

    fn contains_all(&mut self, field: &str, values: &[Value], polarity: Polarity) -> Result<()> {
        let (column, _) = column(self.schema, field)?;
        let values = self.values(field, values)?;
        if let (Lists::Array(_), false) = (self.sql.dialect().lists(), values.is_empty()) {
            self.array_test(&column, "@>", values, polarity);
            return Ok(());
        }
        let (presence, operator) = match polarity {
            Polarity::Positive => ("IS NOT NULL", " AND "),
            Polarity::Negative => ("IS NULL", " OR "),
        };
        self.sql.push(format!("({column} {presence}"));
        if !values.is_empty() {
            self.sql.push(operator);
            self.all_of(field, values, polarity, operator);
        }
        self.sql.push(")");
        Ok(())
    }

    /// One test per value, as a balanced tree like any other.
    fn all_of(
        &mut self,
        field: &str,
        mut values: Vec<SqlValue>,
        polarity: Polarity,
        operator: &str,
    ) {
        if values.len() < 2 {
            self.holds(field, values, polarity);
            return;
        }
        let right = values.split_off(values.len() / 2);
        self.sql.push("(");
        self.all_of(field, values, polarity, operator);
        self.sql.push(operator);
        self.all_of(field, right, polarity, operator);
        self.sql.push(")");
    }

    /// That the list holds one of the values, or none of them.
    fn holds(&mut self, field: &str, values: Vec<SqlValue>, polarity: Polarity) {
        let Tables { lists, .. } = Tables::of(self.schema);
        let membership = match polarity {
            Polarity::Positive => "IN",
            Polarity::Negative => "NOT IN",
        };
        self.sql
            .push(format!(
                "d.doc {membership} (SELECT doc FROM {lists} WHERE field = "
            ))
            .bind(SqlValue::Text(field.to_owned()))
            .push(" AND value IN (")
            .bind_list(values)
            .push("))");
    }

    /// A test of an array on the row against the array of the values, one at least.
    fn array_test(
        &mut self,
        column: &str,
        operator: &str,
        values: Vec<SqlValue>,
        polarity: Polarity,
    ) {
        let (before, after) = match polarity {
            Polarity::Positive => (String::new(), ""),
            Polarity::Negative => (format!("({column} IS NULL OR NOT "), ")"),
        };
        self.sql
            .push(format!("{before}({column} {operator} ARRAY["))
            .bind_list(values)
            .push(format!("]){after}"));
    }

    fn values(&self, field: &str, values: &[Value]) -> Result<Vec<SqlValue>> {
        values.iter().map(|v| self.value(field, v)).collect()
    }

    fn value(&self, field: &str, value: &Value) -> Result<SqlValue> {
        encode(value).ok_or_else(|| {
            Error::new(
                ErrorKind::TypeMismatch,
                format!(
                    "field `{field}` of `{}`: {value} is a list, which is not compared",
                    self.schema
                ),
            )
        })
    }
}

/// The least text greater than every text that begins with `prefix`; `None`
/// where there is none.
fn end_of_prefix(prefix: &str) -> Option<String> {
    let mut end: Vec<char> = prefix.chars().collect();
    while let Some(last) = end.pop() {
        // The range steps over the surrogates, which are no characters.
        if let Some(next) = (last..=char::MAX).nth(1) {
            end.push(next);
            return Some(end.into_iter().collect());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::end_of_prefix;

    #[test]
    fn the_end_of_a_prefix_is_the_next_text_of_its_order() {
        assert_eq!(end_of_prefix("ab").as_deref(), Some("ac"));
        assert_eq!(end_of_prefix("a\u{10ffff}").as_deref(), Some("b"));
        assert_eq!(end_of_prefix("\u{d7ff}").as_deref(), Some("\u{e000}"));
        assert_eq!(end_of_prefix("\u{10ffff}"), None);
        assert_eq!(end_of_prefix(""), None);
    }
}
