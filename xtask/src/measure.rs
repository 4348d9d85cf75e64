//! Measurements: built only when asked for, since they need the whole library optimised.

use crate::cargo::Cargo;
use crate::postgres::{self, Postgres};

/// Runs `command` of `ermine-bench` with the arguments given.
pub(crate) fn run(command: &str, arguments: &[String]) -> Result<(), String> {
    let fixed = [
        "run",
        "--release",
        "--package",
        "ermine-bench",
        "--",
        command,
    ];
    let arguments: Vec<&str> = fixed
        .into_iter()
        .chain(arguments.iter().map(String::as_str))
        .collect();
    let cargo = Cargo {
        arguments: &arguments,
        environment: &[],
    };
    let asks_for_postgres = |argument| {
        matches!(
            argument,
            "appends" | "overhead" | "approximate" | "--postgres"
        )
    };
    let given = arguments.get(fixed.len()..).unwrap_or_default();
    if !given.iter().copied().any(asks_for_postgres) {
        return cargo.run().map_err(|error| format!("{command} {error}"));
    }
    let postgres = Postgres::given_or_started()?;
    cargo
        .run_with(&[(postgres::VARIABLE, postgres.url())])
        .map_err(|error| format!("{command} {error}{}", postgres.hint(postgres::VARIABLE)))
}
