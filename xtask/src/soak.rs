//! Tests that take longer than a change's checks may.

use crate::cargo::Cargo;
use crate::postgres::{self, Postgres};

const SECONDS: &str = "60";
const CASES: &str = "2000";

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (package, test, variable, value) = match *arguments.as_slice() {
        ["postgres"] => (WRITERS, "soak::", "ERMINE_SOAK_SECONDS", SECONDS),
        ["postgres", seconds] => (WRITERS, "soak::", "ERMINE_SOAK_SECONDS", seconds),
        ["compliance"] => (STORES, "reference_does", "ERMINE_CASES", CASES),
        ["compliance", cases] => (STORES, "reference_does", "ERMINE_CASES", cases),
        _ => return Err("`soak` takes `postgres [SECONDS]` or `compliance [CASES]`".to_owned()),
    };
    if value.parse::<u32>().is_err() {
        return Err(format!("`{value}` is not a number"));
    }
    let postgres = Postgres::given_or_started()?;
    let [package, target] = package;
    let cargo = Cargo {
        arguments: &[
            "test",
            "--package",
            package,
            "--test",
            target,
            test,
            "--",
            "--nocapture",
        ],
        environment: &[(variable, value)],
    };
    cargo
        .run_with(&[(postgres::VARIABLE, postgres.url())])
        .map_err(|error| format!("soak {error}{}", postgres.hint(postgres::VARIABLE)))
}

/// A package, and its test program.
const WRITERS: [&str; 2] = ["ermine-postgres", "it"];
const STORES: [&str; 2] = ["ermine-compliance", "compliance"];
