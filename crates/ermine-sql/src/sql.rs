//! A statement under construction.

use std::fmt;

use ermine_core::{Error, ErrorKind, Result};

use crate::{Dialect, SqlValue};

/// The text of a statement and the values bound in it.
#[derive(Clone)]
pub struct Sql {
    dialect: &'static (dyn Dialect + Sync),
    text: String,
    values: Vec<SqlValue>,
}

impl Sql {
    /// An empty statement.
    pub fn new(dialect: &'static (dyn Dialect + Sync)) -> Self {
        Self {
            dialect,
            text: String::new(),
            values: Vec::new(),
        }
    }

    /// The database's spelling.
    pub fn dialect(&self) -> &'static (dyn Dialect + Sync) {
        self.dialect
    }

    /// Appends text that no user wrote.
    pub fn push(&mut self, text: impl AsRef<str>) -> &mut Self {
        self.text.push_str(text.as_ref());
        self
    }

    /// Binds a value and appends its place.
    pub fn bind(&mut self, value: SqlValue) -> &mut Self {
        let place = self.place(value);
        self.text.push_str(&place);
        self
    }

    /// Binds a value and returns its place, to be put into a larger expression.
    pub fn place(&mut self, value: SqlValue) -> String {
        self.values.push(value);
        self.dialect.placeholder(self.values.len())
    }

    /// Binds values and appends their places, with commas between them.
    pub fn bind_list(&mut self, values: impl IntoIterator<Item = SqlValue>) -> &mut Self {
        for (at, value) in values.into_iter().enumerate() {
            if at > 0 {
                self.text.push_str(", ");
            }
            self.bind(value);
        }
        self
    }

    /// The text so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The values bound so far, in the order of their places.
    pub fn values(&self) -> &[SqlValue] {
        &self.values
    }

    /// The text and the values.
    pub fn into_parts(self) -> (String, Vec<SqlValue>) {
        (self.text, self.values)
    }

    /// Refuses a statement that binds more values than the database takes.
    pub fn check(&self) -> Result<()> {
        // What follows a target, an id or the limits of a page, binds a few more.
        let most = self.dialect.most_values().saturating_sub(BOUND_AFTERWARDS);
        if self.values.len() <= most {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::InvalidOption,
            format!(
                "the filter holds {} values, and this store takes {most} in one statement; split the lists over several calls",
                self.values.len()
            ),
        ))
    }
}

/// How many values a statement may bind after its target was judged.
const BOUND_AFTERWARDS: usize = 16;

impl fmt::Debug for Sql {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.text, self.values)
    }
}
