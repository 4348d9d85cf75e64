//! The parts of the contracts that need no store, by what they promise.

// Helpers of a test fail it by panicking; clippy's exception covers test functions only.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

mod declarations;
mod distances;
mod filters;
mod fusion;
mod providers;
mod records;
mod requests;
