//! Packed vector blocks and exact scans for Ermine; knows no database.
//!
//! A store keeps the vectors of one field as [`Blocks`]: an immutable, cheaply
//! cloned set of rows, brought up to date by an [`Edit`] that copies only the
//! chunks it touches, so that searches already running keep what they began with.
//! [`scan`] ranks them against a query.
//!
//! ```
//! use ermine_core::Metric;
//! use ermine_scan::{Allowed, Blocks, Nearest, Row, RowState, scan};
//!
//! let mut edit = Blocks::new(2).edit();
//! for (slot, vector) in [[2.0, 0.0], [0.9, 0.1], [0.0, 1.0]].iter().enumerate() {
//!     let slot = slot as i64;
//!     edit.put(Row { slot, doc: 10 + slot, tenant: 0, state: RowState::Live, vector });
//! }
//! let blocks = edit.finish();
//!
//! let nearest = Nearest { k: 1, max_distance: None };
//! let found = scan(&blocks, &[1.0, 0.0], Metric::Cosine, &Allowed::default(), nearest);
//! assert_eq!(found[0].doc, 10);
//! ```

mod blocks;
mod doc_set;
mod row;
mod scan;

pub use blocks::{Blocks, Edit};
pub use doc_set::DocSet;
pub use row::{Row, RowState};
pub use scan::{Allowed, Candidate, Nearest, scan, scan_unless};
