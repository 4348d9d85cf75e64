//! Lowered filters and orders, run on an in-memory SQLite and judged by a direct
//! evaluation of the expression.

#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod evaluate;
mod lowering;
mod plans;
mod rows;
