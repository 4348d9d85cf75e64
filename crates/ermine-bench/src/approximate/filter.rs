//! What filters keep.

use std::fmt;

use ermine::{Column, DynamicRecord, Filter};

use super::column;

/// A filter, which may be another for each query.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kept {
    rows: usize,
    which: Which,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Which {
    All,
    /// Any, whatever the query.
    Independent,
    /// Those that are furthest from the query.
    Against,
}

/// Every filter that is measured, of so many documents.
pub(crate) fn all(documents: usize) -> impl Iterator<Item = Kept> {
    let counts = [documents / 10, documents / 100, documents / 1_000, 10];
    let of = move |which| counts.into_iter().map(move |rows| Kept { rows, which });
    let everything = Kept {
        rows: documents,
        which: Which::All,
    };
    std::iter::once(everything)
        .chain(of(Which::Independent))
        .chain(of(Which::Against))
}

impl Kept {
    fn column(self, query: usize) -> Option<String> {
        match self.which {
            Which::All => None,
            Which::Independent => Some(column::SHUFFLED.to_owned()),
            Which::Against => Some(column::far(query)),
        }
    }

    pub(crate) fn filter(self, query: usize) -> Option<Filter<DynamicRecord>> {
        let column = self.column(query)?;
        let column: Column<DynamicRecord, i64> = Column::named(column);
        Some(column.lt(self.rows as i64))
    }

    /// The same as SQL.
    pub(crate) fn sql(self, query: usize) -> Option<String> {
        let column = self.column(query)?;
        Some(format!("d.\"f_{column}\" < {}", self.rows))
    }
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let which = match self.which {
            Which::All => "all",
            Which::Independent => "independent",
            Which::Against => "against",
        };
        write!(f, "{} rows, {which}", self.rows)
    }
}
