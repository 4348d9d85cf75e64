//! The `ermine` program: import, search and inspect from the shell.

mod address;
mod arguments;
mod failure;
mod files;
mod filter;
mod jsonl;
mod passages;
mod schema;
mod suggest;
mod wait;

fn main() {}
