//! What a row holds.

use ermine_core::DeletedScope;

/// One vector and the columns that a search without a filter needs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row<'a> {
    /// The row's own number, unique in its [`Blocks`](crate::Blocks).
    pub slot: i64,
    /// The number of the document that the vector belongs to.
    pub doc: i64,
    /// The number the store gave to the document's tenant.
    pub tenant: u32,
    /// Whether the document is soft-deleted.
    pub state: RowState,
    /// The elements, as stored.
    pub vector: &'a [f32],
}

/// Whether the document of a row is soft-deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowState {
    /// It is not.
    Live,
    /// It is: only a search that asks for deleted documents sees the row.
    SoftDeleted,
}

impl RowState {
    pub(crate) fn is_seen_by(self, scope: DeletedScope) -> bool {
        match scope {
            DeletedScope::Hidden => self == Self::Live,
            DeletedScope::Only => self == Self::SoftDeleted,
            DeletedScope::Included => true,
        }
    }
}

/// A row's columns as a chunk keeps them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Head {
    pub(crate) slot: i64,
    pub(crate) doc: i64,
    /// The sum of the squared elements, taken as [`ermine_core::Metric::distance`] takes it.
    pub(crate) squares: f64,
    pub(crate) tenant: u32,
    pub(crate) state: RowState,
}

impl Head {
    /// The columns of `row`; `None` where no search could return it: an element
    /// is not finite, or their number is wrong.
    pub(crate) fn of(row: Row<'_>, dimensions: usize) -> Option<Self> {
        // Squares of finite f32 values stay far below the largest f64.
        let squares = squares(row.vector);
        (row.vector.len() == dimensions && squares.is_finite()).then_some(Self {
            slot: row.slot,
            doc: row.doc,
            squares,
            tenant: row.tenant,
            state: row.state,
        })
    }
}

pub(crate) fn squares(vector: &[f32]) -> f64 {
    vector.iter().fold(0.0, |sum, v| {
        let v = f64::from(*v);
        sum + v * v
    })
}
