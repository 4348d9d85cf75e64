//! Every fact on every store, each a test of its own, and the tests of the facts themselves.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "this is a test, though its harness is its own"
)]

mod cell;
mod document;
mod mutants;
mod property;
mod skipped_declaration;
mod stores;
mod support;

use libtest_mimic::{Arguments, Trial};

fn main() {
    cell::record_panics();
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for store in stores::all() {
        for fact in ermine_compliance::facts() {
            let name = format!("{}::{}", store.name(), fact.name);
            trials.push(Trial::test(name, move || Ok(cell::verdict(store, fact)?)));
        }
    }
    trials.extend(support::trials());
    trials.extend(document::trials());
    trials.extend(skipped_declaration::trials());
    trials.extend(mutants::trials());
    trials.extend(property::trials());
    libtest_mimic::run(&arguments, trials).exit();
}
