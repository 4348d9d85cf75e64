//! Vector projections: maps and plans against tables of their own.

// Helpers of a test fail it by panicking; clippy's exception covers test functions only.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

mod aggregates;
mod folds;
mod maps;
mod memory;
mod pages;
mod plans;
mod provider;
mod steps;
mod table;
