//! Every database against the reference, on cases nobody thought of.
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
mod schedules;
mod searches;

use ermine_compliance::{Fixture, ReferenceFixture};
use libtest_mimic::Trial;
use proptest::collection::vec;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

use crate::cell::runtime;
use crate::mutants::{ANSWERED_WRONGLY, LOGGED_WRONGLY, MutantFixture, Mutation};
use crate::stores;

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials: Vec<Trial> = stores::databases().into_iter().flat_map(against).collect();
    trials.extend(ANSWERED_WRONGLY.iter().map(|mutation| {
        let name = format!("property::cases_catch::{mutation:?}");
        Trial::test(name, || cases_catch(*mutation, compare_stores))
    }));
    trials.push(Trial::test(
        "property::sqlite::schedules_of_events_end_as_in_the_reference",
        || {
            run("schedules", 32, &numbers(), |numbers| {
                compare_schedules(&stores::SqliteFixture, &numbers)
            })
        },
    ));
    trials.push(Trial::test(
        "property::schedules_find_nothing_wrong_with_the_reference",
        || {
            run("control", 64, &numbers(), |numbers| {
                compare_schedules(&MutantFixture::of(Mutation::Nothing), &numbers)
            })
        },
    ));
    trials.extend(LOGGED_WRONGLY.iter().map(|mutation| {
        let name = format!("property::schedules_catch::{mutation:?}");
        Trial::test(name, || cases_catch(*mutation, compare_schedules))
    }));
    trials.push(Trial::test(
        "property::cases_find_nothing_wrong_with_the_reference",
        || {
            run("control", 64, &numbers(), |numbers| {
                runtime().block_on(compare::stores_agree(&ReferenceFixture, &numbers))
            })
        },
    ));
    trials
}

fn against(store: &'static dyn Fixture) -> [Trial; 3] {
    let name = |what: &str| format!("property::{}::{what}", store.name());
    [
        Trial::test(name("answers_as_the_reference_does"), move || {
            run("stores", 200, &numbers(), |numbers| {
                runtime().block_on(compare::stores_agree(store, &numbers))
            })
        }),
        Trial::test(name("any_text_is_a_query"), move || {
            run("queries", 64, &any_text::queries(), |queries| {
                runtime().block_on(any_text::is_answered_alike(store, &queries))
            })
        }),
        Trial::test(
            name("sealed_postings_answer_as_the_reference_does"),
            move || Ok(runtime().block_on(many::stores_agree(store))?),
        ),
    ]
}

fn numbers() -> impl Strategy<Value = Vec<u32>> {
    vec(0_u32.., 50..1_500)
}

fn compare_stores(other: &dyn Fixture, numbers: &[u32]) -> Result<(), String> {
    runtime().block_on(compare::stores_agree(other, numbers))
}

fn compare_schedules(other: &dyn Fixture, numbers: &[u32]) -> Result<(), String> {
    runtime().block_on(schedules::stores_agree(other, numbers))
}

/// Fails unless the cases tell a wrong store from the reference.
fn cases_catch(
    mutation: Mutation,
    compare: fn(&dyn Fixture, &[u32]) -> Result<(), String>,
) -> Result<(), libtest_mimic::Failed> {
    let mutant = MutantFixture::of(mutation);
    let mut runner = TestRunner::new_with_rng(
        Config {
            cases: 2_000,
            failure_persistence: None,
            max_shrink_iters: 0,
            ..Config::default()
        },
        TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    );
    let caught = runner.run(&numbers(), |numbers| {
        compare(&mutant, &numbers).map_err(TestCaseError::fail)
    });
    match caught {
        Err(_) => Ok(()),
        Ok(()) => Err(format!("no case catches {mutation:?}").into()),
    }
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
