//! The scan against brute force, and edits against a rebuild.

#[path = "scan/edits.rs"]
mod edits;
#[path = "scan/exact.rs"]
mod exact;
#[path = "scan/rows.rs"]
mod rows;
#[path = "scan/sharing.rs"]
mod sharing;
