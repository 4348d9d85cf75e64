//! The parts of the contracts that need no store, by what they promise.

mod declarations;
mod distances;
mod filters;
mod fusion;
mod providers;
mod records;
mod requests;
