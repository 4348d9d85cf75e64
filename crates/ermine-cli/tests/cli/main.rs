//! The built program, driven from outside: what it prints, writes and returns.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail"
)]

#[macro_use]
mod support;

mod addresses;
mod daemon;
mod demo;
mod events;
mod foreign;
mod import_events;
mod import_folders;
mod import_git;
mod import_lines;
mod killed;
mod postgres;
mod search;
mod status;
mod stored;
