//! Filters: predicates over a document's indexed fields and id.

mod check;
mod expr;
mod field_name;
mod handles;

use std::fmt;
use std::marker::PhantomData;
use std::ops::{BitAnd, BitOr, Not};

pub use check::MAX_FILTER_DEPTH;
pub use expr::{Compare, Expr};
pub use handles::{Column, Comparable, IndexedText, Nested, TextField, VectorField};

/// A predicate over documents of type `D`. It does not compile against another type.
///
/// Combine filters with `&`, `|` and `!`. Logic has two values: a comparison with
/// an absent field is false, so its negation is true (rule F1).
///
/// ```
/// use ermine_core::{Column, Filter};
///
/// struct Note;
/// const YEAR: Column<Note, i64> = Column::new("year");
/// const TAGS: Column<Note, Vec<String>> = Column::new("tags");
///
/// let filter: Filter<Note> = YEAR.ge(1960) & !TAGS.contains("draft");
/// assert_eq!(filter.expr().to_string(), r#"year >= 1960 and not tags contains "draft""#);
/// ```
pub struct Filter<D> {
    expr: Expr,
    document: PhantomData<fn() -> D>,
}

impl<D> Filter<D> {
    /// A filter from an expression whose fields nobody has checked yet; the
    /// search that is given it checks them against its schema.
    pub fn from_expr(expr: Expr) -> Self {
        Self {
            expr,
            document: PhantomData,
        }
    }

    /// The filter every document passes: the same as giving none.
    pub fn all() -> Self {
        Self::from_expr(Expr::Constant(true))
    }

    /// The filter no document passes.
    pub fn none() -> Self {
        Self::from_expr(Expr::Constant(false))
    }

    /// The expression as written.
    pub fn expr(&self) -> &Expr {
        &self.expr
    }

    /// The expression, without a copy.
    pub fn into_expr(self) -> Expr {
        self.expr
    }
}

impl<D> Clone for Filter<D> {
    fn clone(&self) -> Self {
        Self::from_expr(self.expr.clone())
    }
}

impl<D> fmt::Debug for Filter<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Filter({})", self.expr)
    }
}

impl<D> BitAnd for Filter<D> {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self::from_expr(self.expr.and(other.expr))
    }
}

impl<D> BitOr for Filter<D> {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self::from_expr(self.expr.or(other.expr))
    }
}

impl<D> Not for Filter<D> {
    type Output = Self;
    fn not(self) -> Self {
        Self::from_expr(Expr::Not(Box::new(self.expr)))
    }
}
