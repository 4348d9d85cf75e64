//! The filter language: `year >= 1960 and tags contains "db"`.
//!
//! It is what [`Expr`] displays as, read against the schema of the collection:
//! a field's type says how its values are read, and every mistake is reported
//! with the column of the text it stands at.
//!
//! ```text
//! or         = and { "or" and }
//! and        = unary { "and" unary }
//! unary      = "not" unary | "(" or ")" | "true" | "false" | predicate
//! predicate  = field ( compare value | ["not"] "between" value "and" value | ["not"] "in" list
//!            | "is" ["not"] "null" | ["not"] "starts_with" text | ["not"] "contains" value
//!            | ["not"] "contains" ("any" | "all") list )
//! ```

mod cursor;
mod error;
mod literal;
mod predicate;

use ermine_core::{Expr, Schema};

use cursor::Cursor;
pub(crate) use error::FilterError;

/// How deep parentheses and `not` may nest.
const DEEPEST: usize = 64;

/// Reads a filter over documents of `schema`.
pub(crate) fn parse(schema: &Schema, text: &str) -> Result<Expr, FilterError> {
    let mut parser = Parser {
        schema,
        cursor: Cursor::new(text),
        depth: 0,
    };
    let expr = parser.or()?;
    if !parser.cursor.at_end() {
        return Err(parser
            .cursor
            .unexpected("expected `and`, `or` or the end of the filter"));
    }
    Ok(expr)
}

struct Parser<'a> {
    schema: &'a Schema,
    cursor: Cursor<'a>,
    depth: usize,
}

impl Parser<'_> {
    // A chain becomes one node, and parentheses keep their own, so that an
    // expression reads back as what was displayed.
    fn or(&mut self) -> Result<Expr, FilterError> {
        let first = self.and()?;
        let mut any = vec![first];
        while self.cursor.eat_word("or") {
            any.push(self.and()?);
        }
        Ok(chain(any, Expr::Or))
    }

    fn and(&mut self) -> Result<Expr, FilterError> {
        let first = self.unary()?;
        let mut all = vec![first];
        while self.cursor.eat_word("and") {
            all.push(self.unary()?);
        }
        Ok(chain(all, Expr::And))
    }

    fn unary(&mut self) -> Result<Expr, FilterError> {
        if self.depth == DEEPEST {
            return Err(self
                .cursor
                .unexpected(format!("nested deeper than {DEEPEST} levels; simplify it")));
        }
        self.depth += 1;
        let expr = self.operand();
        self.depth -= 1;
        expr
    }

    fn operand(&mut self) -> Result<Expr, FilterError> {
        if self.cursor.eat_word("not") {
            return Ok(Expr::Not(Box::new(self.unary()?)));
        }
        if self.cursor.eat_word("true") {
            return Ok(Expr::Constant(true));
        }
        if self.cursor.eat_word("false") {
            return Ok(Expr::Constant(false));
        }
        if self.cursor.eat("(") {
            let inner = self.or()?;
            if !self.cursor.eat(")") {
                return Err(self.cursor.unexpected("expected `and`, `or` or `)`"));
            }
            return Ok(inner);
        }
        self.predicate()
    }
}

fn chain(mut parts: Vec<Expr>, join: impl FnOnce(Vec<Expr>) -> Expr) -> Expr {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        last => {
            parts.extend(last);
            join(parts)
        }
    }
}

#[cfg(test)]
mod tests;
