//! Each file of `fail` makes a mistake, or several of a kind; its `.stderr` is what the compiler says.
//!
//! After a change of a message: `TRYBUILD=overwrite cargo test -p ermine-macros`, and read the difference.

#[test]
fn mistakes_are_compile_errors_at_their_place() {
    trybuild::TestCases::new().compile_fail("tests/fail/*.rs");
}
