//! Tests and measurements of this repository: `cargo xtask help` lists them.

mod cargo;
mod help;
mod measure;
mod mutants;
mod postgres;
mod soak;
mod test;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next();
    let rest: Vec<String> = arguments.collect();
    let done = match command.as_deref() {
        Some("test") => test::run(&rest),
        Some("postgres") => postgres::run(&rest),
        Some(measurement @ ("eval" | "bench")) => measure::run(measurement, &rest),
        Some("mutants") => mutants::run(&rest),
        Some("soak") => soak::run(&rest),
        None | Some("help" | "--help" | "-h") => {
            println!("{}", help::TEXT);
            Ok(())
        }
        Some(other) => Err(format!("`{other}` is not a command\n\n{}", help::TEXT)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
