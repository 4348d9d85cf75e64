//! The `ermine` program: import, search and inspect from the shell.

mod address;
mod arguments;
mod daemon;
mod demo;
mod events;
mod failure;
mod files;
mod filter;
mod git;
mod history;
mod import;
mod jsonl;
mod model;
mod opening;
mod passages;
mod schema;
mod search;
mod status;
mod suggest;
mod wait;

use std::io::ErrorKind;
use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command};
use failure::{Failure, Finished};

fn main() -> ExitCode {
    match run(&Arguments::parse().command) {
        Ok(Finished::Whole) => ExitCode::SUCCESS,
        Ok(Finished::InPart) => ExitCode::from(1),
        Ok(Finished::Unwell) => ExitCode::from(3),
        // Whoever read the output has seen enough.
        Err(Failure::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("ermine: {failure}");
            ExitCode::from(2)
        }
    }
}

fn run(command: &Command) -> Result<Finished, Failure> {
    match command {
        Command::Import(arguments) => import::run(arguments),
        Command::Events(arguments) => events::run(arguments),
        Command::Daemon(arguments) => daemon::run(arguments),
        Command::Search(arguments) => search::run(arguments),
        Command::Status(arguments) => status::run(arguments),
        Command::Demo(arguments) => demo::run(arguments),
    }
}
