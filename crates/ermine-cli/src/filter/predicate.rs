//! Predicates: a field, an operator its type has, and what it is compared with.

use std::ops::Range;

use ermine_core::{ColumnType, Compare, ErrorKind, Expr, ScalarType, Value};

use super::cursor::is_name;
use super::{FilterError, Parser};
use crate::suggest::{closest, list};

/// The longest first, so that `<=` is not read as `<`.
const SIGNS: [(&str, Compare); 8] = [
    ("==", Compare::Eq),
    ("!=", Compare::Ne),
    ("<>", Compare::Ne),
    ("<=", Compare::Le),
    (">=", Compare::Ge),
    ("=", Compare::Eq),
    ("<", Compare::Lt),
    (">", Compare::Gt),
];

/// The words that are no field unless quoted.
const WORDS: [&str; 13] = [
    "all",
    "and",
    "any",
    "between",
    "contains",
    "false",
    "in",
    "is",
    "not",
    "null",
    "or",
    "starts_with",
    "true",
];

impl Parser<'_> {
    pub(super) fn predicate(&mut self) -> Result<Expr, FilterError> {
        let (field, at) = self.field_name()?;
        let column = self.column(&field, at.clone())?;
        if self.cursor.eat_word("is") {
            let negated = self.cursor.eat_word("not");
            if !self.cursor.eat_word("null") {
                let expected = if negated {
                    "`null`"
                } else {
                    "`null` or `not null`"
                };
                return Err(self.cursor.unexpected(format!("expected {expected}")));
            }
            return Ok(negate(negated, Expr::IsNull { field }));
        }
        if let Some((sign, op)) = SIGNS.into_iter().find(|(sign, _)| self.cursor.eat(sign)) {
            let scalar = self.scalar(&field, column, at, sign)?;
            let value = self.value(&field, scalar)?;
            return Ok(Expr::Compare { field, op, value });
        }
        let negated = self.cursor.eat_word("not");
        if self.cursor.eat_word("between") {
            let scalar = self.scalar(&field, column, at, "between")?;
            let low = self.value(&field, scalar)?;
            if !self.cursor.eat_word("and") {
                return Err(self.cursor.unexpected("expected `and` and the upper bound"));
            }
            let high = self.value(&field, scalar)?;
            return Ok(negate(negated, Expr::Between { field, low, high }));
        }
        if self.cursor.eat_word("in") {
            let scalar = self.scalar(&field, column, at, "in")?;
            let values = self.values(&field, scalar)?;
            return Ok(negate(negated, Expr::In { field, values }));
        }
        if self.cursor.eat_word("starts_with") {
            if column != ColumnType::Scalar(ScalarType::Text) {
                let problem = format!("`{field}` is {column}, and only text starts with text");
                return Err(self.cursor.error(at, problem));
            }
            let prefix = self.text(&field)?;
            return Ok(negate(negated, Expr::StartsWith { field, prefix }));
        }
        if self.cursor.eat_word("contains") {
            return Ok(negate(negated, self.contains(field, column, at)?));
        }
        let operators = operators(column);
        Err(self.cursor.unexpected(format!(
            "expected an operator after `{field}`, which is {column}: {operators}"
        )))
    }

    fn contains(
        &mut self,
        field: String,
        column: ColumnType,
        at: Range<usize>,
    ) -> Result<Expr, FilterError> {
        let quantifier = ["any", "all"]
            .into_iter()
            .find(|word| self.cursor.eat_word(word));
        match (column, quantifier) {
            (ColumnType::List(scalar), None) => {
                let values = vec![self.value(&field, scalar)?];
                Ok(Expr::ContainsAny { field, values })
            }
            (ColumnType::List(scalar), Some(quantifier)) => {
                let values = self.values(&field, scalar)?;
                Ok(match quantifier {
                    "any" => Expr::ContainsAny { field, values },
                    _ => Expr::ContainsAll { field, values },
                })
            }
            (ColumnType::Scalar(ScalarType::Text), None) => {
                let text = self.text(&field)?;
                Ok(Expr::Contains { field, text })
            }
            (ColumnType::Scalar(_), Some(_)) => {
                let problem =
                    format!("`{field}` is {column}, not a list; write `in [..]`, or compare it");
                Err(self.cursor.error(at, problem))
            }
            (ColumnType::Scalar(_), None) => {
                let problem = format!("`{field}` is {column}; only lists and text contain values");
                Err(self.cursor.error(at, problem))
            }
        }
    }

    /// The characters a text field is asked for.
    fn text(&mut self, field: &str) -> Result<String, FilterError> {
        match self.value(field, ScalarType::Text)? {
            Value::Text(text) => Ok(text),
            // A value of type text is text.
            other => Ok(other.to_string()),
        }
    }

    fn field_name(&mut self) -> Result<(String, Range<usize>), FilterError> {
        match self.cursor.peek() {
            Some(quote @ ('`' | '"')) => return self.cursor.quoted_name(quote),
            Some(c) if c.is_alphabetic() || c == '_' => {}
            _ => {
                let expected = "expected a field, `not`, `(`, `true` or `false`";
                return Err(self.cursor.unexpected(expected));
            }
        }
        let word = self.cursor.peek_word();
        if WORDS.iter().any(|known| known.eq_ignore_ascii_case(word)) {
            return Err(self.cursor.unexpected(format!(
                "expected a field; one that is called {word} is written `{word}` in backquotes"
            )));
        }
        let (name, at) = self.cursor.run(is_name);
        Ok((name.to_owned(), at))
    }

    fn column(&self, field: &str, at: Range<usize>) -> Result<ColumnType, FilterError> {
        let schema = self.schema;
        let error = match schema.filterable(field) {
            Ok(filterable) => return Ok(filterable.column_type()),
            Err(error) => error,
        };
        let known =
            || std::iter::once(schema.id_name()).chain(schema.columns().iter().map(|c| c.name()));
        let message = match (error.kind(), closest(field, known())) {
            (ErrorKind::NotIndexed, _) => format!(
                "`{field}` of `{schema}` is searched, not filtered; the fields that filter are {}",
                list(known())
            ),
            (_, Some(meant)) => {
                format!("`{schema}` has no field `{field}`; did you mean `{meant}`?")
            }
            (_, None) => format!(
                "`{schema}` has no field `{field}`; the fields that filter are {}",
                list(known())
            ),
        };
        Err(self.cursor.error(at, message))
    }

    /// The type a value compared by `operator` has; refused for lists.
    fn scalar(
        &self,
        field: &str,
        column: ColumnType,
        at: Range<usize>,
        operator: &str,
    ) -> Result<ScalarType, FilterError> {
        match column {
            ColumnType::Scalar(scalar) => Ok(scalar),
            ColumnType::List(_) => Err(self.cursor.error(
                at,
                format!("`{field}` is {column}, which `{operator}` does not compare; ask what it `contains`"),
            )),
        }
    }
}

fn negate(negated: bool, expr: Expr) -> Expr {
    if negated {
        Expr::Not(Box::new(expr))
    } else {
        expr
    }
}

fn operators(column: ColumnType) -> &'static str {
    match column {
        ColumnType::List(_) => "contains, contains any, contains all, is null, is not null",
        ColumnType::Scalar(ScalarType::Text) => {
            "= != < <= > >=, between, in, starts_with, contains, is null, is not null"
        }
        ColumnType::Scalar(_) => "= != < <= > >=, between, in, is null, is not null",
    }
}
