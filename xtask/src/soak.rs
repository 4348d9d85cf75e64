//! Tests that take longer than a change's checks may.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::cargo::Cargo;
use crate::measure;
use crate::postgres::{self, Postgres};

const SECONDS: &str = "60";
const CASES: &str = "2000";

/// What tells a soak by which file it asks for a restart of the server.
const RESTART: &str = "ERMINE_SOAK_RESTART";

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    if let Some("history" | "daemon") = arguments.first().map(String::as_str) {
        return measure::run("soak", arguments);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (package, test, variable, value) = match *arguments.as_slice() {
        ["postgres"] => (WRITERS, "soak::", "ERMINE_SOAK_SECONDS", SECONDS),
        ["postgres", seconds] => (WRITERS, "soak::", "ERMINE_SOAK_SECONDS", seconds),
        ["events"] => (WRITERS, "events::", "ERMINE_SOAK_SECONDS", SECONDS),
        ["events", seconds] => (WRITERS, "events::", "ERMINE_SOAK_SECONDS", seconds),
        ["compliance"] => (STORES, "reference_does", "ERMINE_CASES", CASES),
        ["compliance", cases] => (STORES, "reference_does", "ERMINE_CASES", cases),
        _ => {
            return Err(
                "`soak` takes `postgres [SECONDS]`, `events [SECONDS]`, `compliance [CASES]`, `history --data DIR` or `daemon [SECONDS]`"
                    .to_owned(),
            );
        }
    };
    if value.parse::<u32>().is_err() {
        return Err(format!("`{value}` is not a number"));
    }
    let postgres = Postgres::given_or_started()?;
    let [package, target] = package;
    let mut command = vec![
        "test",
        "--package",
        package,
        "--test",
        target,
        test,
        "--",
        "--nocapture",
    ];
    if test == "events::" {
        // One restarts the server under all.
        command.push("--test-threads=1");
    }
    let cargo = Cargo {
        arguments: &command,
        environment: &[(variable, value)],
    };
    let ask = std::env::temp_dir().join(format!("ermine-restart-{}", std::process::id()));
    let mut untold = vec![(postgres::VARIABLE, postgres.url())];
    if postgres.is_own() {
        untold.push((
            RESTART,
            ask.to_str()
                .ok_or("the temporary folder's name is no text")?,
        ));
    }
    let is_over = AtomicBool::new(false);
    let soaked = std::thread::scope(|scope| {
        scope.spawn(|| restart_when_asked(&postgres, &ask, &is_over));
        let soaked = cargo.run_with(&untold);
        is_over.store(true, Ordering::SeqCst);
        soaked
    });
    soaked.map_err(|error| format!("soak {error}{}", postgres.hint(postgres::VARIABLE)))
}

/// Restarts the server in the mode that the file names, and removes the file.
fn restart_when_asked(postgres: &Postgres, ask: &Path, is_over: &AtomicBool) {
    while !is_over.load(Ordering::SeqCst) {
        if let Ok(mode) = std::fs::read_to_string(ask)
            && !mode.is_empty()
        {
            if let Err(error) = postgres.restart(&mode) {
                eprintln!("{error}");
                return;
            }
            // Whoever asked waits for this, and fails where it does not come.
            let _ = std::fs::remove_file(ask);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A package, and its test program.
const WRITERS: [&str; 2] = ["ermine-postgres", "it"];
const STORES: [&str; 2] = ["ermine-compliance", "compliance"];
