//! Set-up, tests and measurements of this repository.
fn main() {}
