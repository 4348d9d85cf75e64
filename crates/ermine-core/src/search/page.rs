//! Limits and offsets.

use crate::{Error, ErrorKind, Result};

/// The limit of a search that names none.
pub const DEFAULT_LIMIT: usize = 10;

/// The largest limit; a larger one is refused.
pub const MAX_LIMIT: usize = 10_000;

/// Which part of the whole order is returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// How many at most.
    pub limit: usize,
    /// How many to leave out first; past the end, nothing is returned.
    pub offset: usize,
}

impl Default for Page {
    fn default() -> Self {
        Self {
            limit: DEFAULT_LIMIT,
            offset: 0,
        }
    }
}

impl Page {
    /// The first `limit`.
    pub fn first(limit: usize) -> Self {
        Self { limit, offset: 0 }
    }

    /// How many of the order are needed to fill the page.
    pub fn end(self) -> usize {
        self.offset.saturating_add(self.limit)
    }

    /// Refuses a limit above [`MAX_LIMIT`] (rule V11).
    ///
    /// # Errors
    ///
    /// `InvalidOption`.
    pub fn check(self) -> Result<()> {
        if self.limit > MAX_LIMIT {
            return Err(Error::new(
                ErrorKind::InvalidOption,
                format!(
                    "limit {} is above the largest, {MAX_LIMIT}; ask for less, or page with an offset",
                    self.limit
                ),
            ));
        }
        Ok(())
    }

    /// This page of an order.
    pub fn of<T>(self, order: Vec<T>) -> Vec<T> {
        order
            .into_iter()
            .skip(self.offset)
            .take(self.limit)
            .collect()
    }
}

/// The largest candidate depth that can be asked for; a larger one is refused.
pub const MAX_CANDIDATE_DEPTH: usize = 10_000;

/// How many candidates each leg of a fused search returns (rule T2): as given,
/// else max(4 × limit, 50); none where the limit is 0.
///
/// # Errors
///
/// `InvalidOption`: a depth below offset + limit, or above [`MAX_CANDIDATE_DEPTH`]; an
/// offset without a depth, since the default depth depends on the limit and pages would
/// not fit together.
pub fn candidate_depth(depth: Option<usize>, page: Page) -> Result<usize> {
    let refuse = |message: String| Err(Error::new(ErrorKind::InvalidOption, message));
    match depth {
        Some(depth) if depth < page.end() => refuse(format!(
            "candidate depth {depth} is below offset {} plus limit {}; a leg must return at least what the page needs",
            page.offset, page.limit
        )),
        Some(depth) if depth > MAX_CANDIDATE_DEPTH => refuse(format!(
            "candidate depth {depth} is above the largest, {MAX_CANDIDATE_DEPTH}; ask for less"
        )),
        None if page.offset > 0 => refuse(format!(
            "offset {} of a fused search needs an explicit candidate depth, the same for every page; give one of at least {}",
            page.offset,
            page.end()
        )),
        _ if page.limit == 0 => Ok(0),
        Some(depth) => Ok(depth),
        None => Ok(page.limit.saturating_mul(4).max(50)),
    }
}
