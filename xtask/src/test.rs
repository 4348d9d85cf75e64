//! Everything the project checks, in the order in which a mistake is cheapest to find.

use std::process::Command;
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

/// What every build is given, so that all of them share what they build: encrypted
/// connections and the recorder of metrics are off by default.
const FEATURES: &str = "ermine-cli/tls,ermine/metrics";

const FORMAT: Step = step("format", &["fmt", "--all", "--check"]);

const LINTS: Step = step(
    "lints",
    &[
        "clippy",
        "--workspace",
        "--all-targets",
        "--features",
        FEATURES,
        "--",
        "-D",
        "warnings",
    ],
);

/// As applications build it that ask for no encryption: nothing else here does.
const PLAIN: Step = step(
    "without encryption",
    &["check", "--package", "ermine", "--features", "postgres"],
);

const DOCUMENTATION: Step = Step {
    what: "documentation",
    cargo: Cargo {
        // Libraries only: the program and the facade would write to one folder, `ermine`.
        arguments: &[
            "doc",
            "--workspace",
            "--no-deps",
            "--lib",
            "--features",
            FEATURES,
        ],
        environment: &[("RUSTDOCFLAGS", "-D warnings")],
    },
};

const EXAMPLES: Step = step(
    "examples, built",
    &["build", "--workspace", "--examples", "--features", FEATURES],
);

const DOCTESTS: Step = step(
    "examples in the documentation",
    &["test", "--workspace", "--doc", "--features", FEATURES],
);

const NEXTEST: Step = step(
    "tests, by nextest",
    &["nextest", "run", "--workspace", "--features", FEATURES],
);

const LIBTEST: Step = step(
    "tests",
    &[
        "test",
        "--workspace",
        "--lib",
        "--bins",
        "--tests",
        "--features",
        FEATURES,
    ],
);

/// The programs in the facade's folder of examples.
const PROGRAMS: [&str; 3] = ["glossary", "similarity", "memories"];

/// What tells an example that its store is the database named.
const EXAMPLE_STORE: &str = "ERMINE_EXAMPLE_STORE";

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
    // The tests last, so that what a reader meets at the end is how many there were.
    let tests = if nextest.succeeds() { NEXTEST } else { LIBTEST };
    let begun = Instant::now();
    let count = 7 + 2 * PROGRAMS.len();
    let mut numbers = 1..;
    let mut announce = |what: &str| {
        let number = numbers.next().unwrap_or(count);
        println!("[{number}/{count}] {what}");
    };
    for step in [FORMAT, LINTS, PLAIN, DOCUMENTATION, EXAMPLES] {
        announce(step.what);
        step.cargo
            .run()
            .map_err(|error| format!("{} {error}", step.what))?;
    }
    for name in PROGRAMS {
        announce(&format!("example: {name}"));
        example(name, None)?;
    }
    let postgres = Postgres::given_or_started()?;
    let url = postgres.url();
    for name in PROGRAMS {
        announce(&format!("example on PostgreSQL: {name}"));
        example(name, Some(url))
            .map_err(|error| format!("{error}{}", postgres.hint(EXAMPLE_STORE)))?;
    }
    for step in [DOCTESTS, tests] {
        announce(step.what);
        step.cargo
            .run_with(&[(postgres::VARIABLE, url)])
            .map_err(|error| {
                format!("{} {error}{}", step.what, postgres.hint(postgres::VARIABLE))
            })?;
    }
    println!(
        "all {count} steps passed in {} s",
        begun.elapsed().as_secs()
    );
    Ok(())
}

/// Runs an example that was built beside this program: `cargo run` would build it, and
/// all it depends on, once more for the features of its package alone.
fn example(name: &str, store: Option<&str>) -> Result<(), String> {
    let failed = |error: &dyn std::fmt::Display| {
        format!(
            "example {name}: {error}. Repeat it with:\n\n    cargo run --package ermine --features postgres --example {name}\n"
        )
    };
    let own = std::env::current_exe().map_err(|error| failed(&error))?;
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let program = own.with_file_name("examples").join(file);
    let mut command = Command::new(program);
    if let Some(store) = store {
        command.env(EXAMPLE_STORE, store);
    }
    let status = command.status().map_err(|error| failed(&error))?;
    if status.success() {
        Ok(())
    } else {
        Err(failed(&status))
    }
}
