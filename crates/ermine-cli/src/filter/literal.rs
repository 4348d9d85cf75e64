//! Values, read as the type of the field they are compared with.

use ermine_core::{ScalarType, Timestamp, Value};
use uuid::Uuid;

use super::{FilterError, Parser};

/// A value as it was written: in quotes, or as a bare run of characters.
enum Written<'a> {
    Quoted(String),
    Bare(&'a str),
}

impl Parser<'_> {
    /// A value of `scalar`, for comparison with `field`.
    pub(super) fn value(&mut self, field: &str, scalar: ScalarType) -> Result<Value, FilterError> {
        let (written, at) = match self.cursor.peek() {
            Some(quote @ ('"' | '\'')) => {
                let (text, at) = self.cursor.quoted_text(quote)?;
                (Written::Quoted(text), at)
            }
            _ => {
                let (word, at) = self.cursor.run(is_bare);
                (Written::Bare(word), at)
            }
        };
        if at.is_empty() {
            let example = example(scalar);
            return Err(self
                .cursor
                .unexpected(format!("expected a value of type {scalar}, as {example}")));
        }
        let text = match &written {
            Written::Quoted(text) => text.as_str(),
            Written::Bare(word) => word,
        };
        let quoted = matches!(written, Written::Quoted(_));
        let value = match scalar {
            ScalarType::Text => quoted.then(|| Value::Text(text.to_owned())),
            ScalarType::Uuid => text.parse::<Uuid>().ok().map(Value::Uuid),
            ScalarType::Timestamp => text.parse::<Timestamp>().ok().map(Value::Timestamp),
            _ if quoted => None,
            ScalarType::Bool => match text {
                "true" => Some(Value::Bool(true)),
                "false" => Some(Value::Bool(false)),
                _ => None,
            },
            ScalarType::I64 => text.parse().ok().map(Value::I64),
            ScalarType::U64 => text.parse().ok().map(Value::U64),
            ScalarType::F64 if looks_like_a_number(text) => text
                .parse()
                .ok()
                .filter(|v: &f64| v.is_finite())
                .map(Value::F64),
            _ => None,
        };
        value.ok_or_else(|| {
            let shown = match &written {
                Written::Quoted(text) => format!("{text:?}"),
                Written::Bare(word) => (*word).to_owned(),
            };
            let problem = problem(scalar, &written);
            self.cursor
                .error(at, format!("`{field}` is {scalar}, but {shown} {problem}"))
        })
    }

    /// Values in brackets or parentheses, apart by commas.
    pub(super) fn values(
        &mut self,
        field: &str,
        scalar: ScalarType,
    ) -> Result<Vec<Value>, FilterError> {
        let close = match self.cursor.peek() {
            Some('[') => "]",
            Some('(') => ")",
            _ => {
                let example = example(scalar);
                return Err(self
                    .cursor
                    .unexpected(format!("expected a list, as [{example}]")));
            }
        };
        let _ = self.cursor.eat("[") || self.cursor.eat("(");
        let mut values = Vec::new();
        if self.cursor.eat(close) {
            return Ok(values);
        }
        loop {
            values.push(self.value(field, scalar)?);
            if self.cursor.eat(close) {
                return Ok(values);
            }
            if !self.cursor.eat(",") {
                return Err(self.cursor.unexpected(format!("expected `,` or `{close}`")));
            }
        }
    }
}

/// Whether `c` may stand in a bare value: a number, a word, a UUID, a timestamp.
fn is_bare(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '+' | '-')
}

/// Rust also reads `inf` and `nan` as floating-point numbers.
fn looks_like_a_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.'))
}

fn example(scalar: ScalarType) -> &'static str {
    match scalar {
        ScalarType::Bool => "true",
        ScalarType::I64 | ScalarType::U64 => "1960",
        ScalarType::F64 => "0.5",
        ScalarType::Text => "\"db\"",
        ScalarType::Uuid => "\"0190a5f0-7d3c-7000-8000-000000000000\"",
        ScalarType::Timestamp => "\"2026-11-30T21:18:12Z\"",
        _ => "a literal",
    }
}

/// What a value is instead of the expected type, and what to write.
fn problem(expected: ScalarType, written: &Written<'_>) -> String {
    let word = match written {
        Written::Quoted(_) if matches!(expected, ScalarType::Uuid | ScalarType::Timestamp) => {
            return format!("is no {expected}; write it as {}", example(expected));
        }
        Written::Quoted(text) => {
            let unquoted = text.parse::<f64>().is_ok() || text == "true" || text == "false";
            let hint = if unquoted {
                "; leave the quotes out"
            } else {
                ""
            };
            return format!("is text{hint}");
        }
        Written::Bare(word) => *word,
    };
    let actual = if word.parse::<i128>().is_ok() {
        match expected {
            ScalarType::I64 | ScalarType::U64 => return "is out of its range".to_owned(),
            _ => "an integer",
        }
    } else if looks_like_a_number(word) && word.parse::<f64>().is_ok() {
        "f64"
    } else if matches!(word, "true" | "false") {
        "bool"
    } else if word.parse::<Uuid>().is_ok() {
        "uuid"
    } else if word.parse::<Timestamp>().is_ok() {
        "timestamp"
    } else {
        return match expected {
            ScalarType::Text => format!("is a bare word; write \"{word}\""),
            _ => format!("is not; write it as {}", example(expected)),
        };
    };
    match expected {
        ScalarType::Text => format!("is {actual}; write \"{word}\""),
        _ => format!("is {actual}"),
    }
}
