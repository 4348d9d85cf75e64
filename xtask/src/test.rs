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

const GLOSSARY: [&str; 7] = example("glossary");

const SIMILARITY: [&str; 7] = example("similarity");

const MEMORIES: [&str; 7] = example("memories");

/// What tells an example that its store is the database named.
const EXAMPLE_STORE: &str = "ERMINE_EXAMPLE_STORE";

const ON_POSTGRES: [Step; 2] = [
    step("example on PostgreSQL: glossary", &GLOSSARY),
    step("example on PostgreSQL: similarity", &SIMILARITY),
];

const fn example(name: &'static str) -> [&'static str; 7] {
    [
        "run",
        "--package",
        "ermine",
        "--features",
        "postgres",
        "--example",
        name,
    ]
}

/// Off by default, and built for this step alone.
const ENCRYPTED: Step = step(
    "encrypted connections",
    &[
        "test",
        "--package",
        "ermine-postgres",
        "--features",
        "tls",
        "--test",
        "it",
        "tls::",
    ],
);

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
                "--features",
                "ermine-postgres/tls",
                "--",
                "-D",
                "warnings",
            ],
        ),
        DOCUMENTATION,
        step("example: glossary", &GLOSSARY),
        step("example: similarity", &SIMILARITY),
        step("example: memories", &MEMORIES),
    ];
    let with_database = [
        step(
            "examples in the documentation",
            &["test", "--workspace", "--doc"],
        ),
        ENCRYPTED,
        // Last, so that what a reader meets at the end is how many tests there were.
        if nextest.succeeds() { NEXTEST } else { LIBTEST },
    ];
    let begun = Instant::now();
    let count = without_database.len() + ON_POSTGRES.len() + with_database.len();
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
    let url = postgres.url();
    let mut run = |step: &Step, variable: &str| {
        announce(step);
        step.cargo
            .run_with(&[(variable, url)])
            .map_err(|error| format!("{} {error}{}", step.what, postgres.hint(variable)))
    };
    for step in &ON_POSTGRES {
        run(step, EXAMPLE_STORE)?;
    }
    for step in &with_database {
        run(step, postgres::VARIABLE)?;
    }
    println!(
        "all {count} steps passed in {} s",
        begun.elapsed().as_secs()
    );
    Ok(())
}
