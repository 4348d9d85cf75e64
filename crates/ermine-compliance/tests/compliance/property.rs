//! SQLite against the reference, on cases nobody thought of.
//!
//! A case is a list of numbers: whatever has to be chosen next (a type, a
//! document, a filter, a search) is chosen by the next of them, and by 0 when
//! they run out. So a failing case shrinks to a short one. `ERMINE_CASES` sets
//! how many are tried, `ERMINE_SEED` repeats a run.

mod any_text;
mod choices;
mod compare;
mod documents;
mod filters;
mod kinds;
mod many;
mod searches;

use libtest_mimic::Trial;
use proptest::collection::vec;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

use crate::cell::runtime;

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("property::sqlite_answers_as_the_reference_does", || {
            let numbers = vec(0_u32.., 50..1_500);
            run("stores", 32, &numbers, |numbers| {
                runtime().block_on(compare::stores_agree(&numbers))
            })
        }),
        Trial::test("property::any_text_is_a_query", || {
            run("queries", 64, &any_text::queries(), |queries| {
                runtime().block_on(any_text::is_answered_alike(&queries))
            })
        }),
        Trial::test(
            "property::sealed_postings_answer_as_the_reference_does",
            || Ok(runtime().block_on(many::stores_agree())?),
        ),
    ]
}

fn run<S: Strategy>(
    name: &str,
    cases: u32,
    strategy: &S,
    test: impl Fn(S::Value) -> Result<(), String>,
) -> Result<(), libtest_mimic::Failed> {
    let number = |name: &str| {
        std::env::var(name)
            .ok()
            .and_then(|text| text.parse::<u64>().ok())
    };
    let cases = number("ERMINE_CASES")
        .and_then(|n| n.try_into().ok())
        .unwrap_or(cases);
    let seed = number("ERMINE_SEED").unwrap_or_else(|| ermine_core::new_id().as_u64_pair().1);
    println!("{name}: {cases} cases of ERMINE_SEED={seed}");
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    TestRunner::new_with_rng(config, rng)
        .run(strategy, |case| test(case).map_err(TestCaseError::fail))
        .map_err(|failure| format!("ERMINE_SEED={seed}: {failure}").into())
}
