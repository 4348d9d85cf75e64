//! The repository's documentation, as part of the program.
//!
//! `documentation/` holds links to the files, so that they are part of the package,
//! too, when it is made.

/// Files by their names in the repository.
pub(super) const DOCUMENTATION: &[(&str, &str)] = &[
    (
        "crates/ermine-core/README.md",
        include_str!("../../documentation/ermine-core.md"),
    ),
    (
        "crates/ermine-store/README.md",
        include_str!("../../documentation/ermine-store.md"),
    ),
];
