//! The `ermine` program.
fn main() {}
