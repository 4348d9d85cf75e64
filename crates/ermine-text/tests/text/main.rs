//! The crate's behaviour from outside, a file per part.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::single_range_in_vec_init,
    clippy::unwrap_used
)]

mod analysis;
mod forward;
mod highlights;
mod queries;
mod scoring;
mod segments;
mod strings;
