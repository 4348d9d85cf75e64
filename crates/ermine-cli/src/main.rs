//! The `ermine` program: import, search and inspect from the shell.

mod filter;
mod passages;
mod suggest;

fn main() {}
