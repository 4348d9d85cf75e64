//! The `ermine` program: import, search and inspect from the shell.

mod filter;
mod suggest;

fn main() {}
