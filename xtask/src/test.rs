//! Everything the project checks, in the order in which a mistake is cheapest to find.

use std::time::Instant;

use crate::cargo::Cargo;
use crate::postgres::{self, Postgres};

struct Step {
    what: &'static str,
    cargo: Cargo<'static>,
}

const fn step(what: &'static str, arguments: &'static [&'static str]) -> Step {
    Step {
        what,
        cargo: Cargo {
            arguments,
            environment: &[],
        },
    }
}

const DOCUMENTATION: Step = Step {
    what: "documentation",
    cargo: Cargo {
        // Libraries only: the program and the facade would write to one folder, `ermine`.
        arguments: &["doc", "--workspace", "--no-deps", "--lib"],
        environment: &[("RUSTDOCFLAGS", "-D warnings")],
    },
};

const NEXTEST: Step = step("tests, by nextest", &["nextest", "run", "--workspace"]);

const LIBTEST: Step = step(
    "tests",
    &["test", "--workspace", "--lib", "--bins", "--tests"],
);

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    if let Some(argument) = arguments.first() {
        return Err(format!("`test` takes no arguments, and got `{argument}`"));
    }
    for (tool, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        let version = Cargo {
            arguments: &[tool, "--version"],
            environment: &[],
        };
        if !version.succeeds() {
            return Err(format!(
                "cargo {tool} is missing; `rustup component add {component}` brings it"
            ));
        }
    }
    let nextest = Cargo {
        arguments: &["nextest", "--version"],
        environment: &[],
    };
    let without_database = [
        step("format", &["fmt", "--all", "--check"]),
        step(
            "lints",
            &[
                "clippy",
                "--workspace",
                "--all-targets",
                "--",
                "-D",
                "warnings",
            ],
        ),
        DOCUMENTATION,
    ];
    let with_database = [
        step(
            "examples in the documentation",
            &["test", "--workspace", "--doc"],
        ),
        step(
            "example: glossary",
            &["run", "--package", "ermine", "--example", "glossary"],
        ),
        step(
            "example: similarity",
            &["run", "--package", "ermine", "--example", "similarity"],
        ),
        // Last, so that what a reader meets at the end is how many tests there were.
        if nextest.succeeds() { NEXTEST } else { LIBTEST },
    ];
    let begun = Instant::now();
    let count = without_database.len() + with_database.len();
    let mut numbers = 1..;
    let mut announce = |step: &Step| {
        let number = numbers.next().unwrap_or(count);
        println!("[{number}/{count}] {}", step.what);
    };
    for step in &without_database {
        announce(step);
        step.cargo
            .run()
            .map_err(|error| format!("{} {error}", step.what))?;
    }
    let postgres = Postgres::given_or_started()?;
    for step in &with_database {
        announce(step);
        step.cargo
            .run_with(&[(postgres::VARIABLE, postgres.url())])
            .map_err(|error| format!("{} {error}{}", step.what, postgres.hint()))?;
    }
    println!(
        "all {count} steps passed in {} s",
        begun.elapsed().as_secs()
    );
    Ok(())
}
