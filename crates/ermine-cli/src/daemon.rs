//! `ermine daemon`, and running it for a while.

mod catch_up;
mod dead_letters;
mod rebuild;
mod serve;
mod status;

use std::io::{Write, stdout};

use ermine::{Daemon, Store};
use ermine_core::Engine;

pub(crate) use catch_up::{Telling, catch_up};

use crate::arguments::{self, DaemonCommand, StoreArgument, Which};
use crate::failure::{Failure, Finished};
use crate::model;
use crate::wait::wait;
use crate::{history, opening};

/// Runs the daemon, or looks after it.
pub(crate) fn run(arguments: &arguments::Daemon) -> Result<Finished, Failure> {
    match &arguments.command {
        DaemonCommand::Run(arguments) => serve::run(arguments),
        DaemonCommand::Status(arguments) => status::run(arguments),
        DaemonCommand::Pause(arguments) => {
            let reason = &arguments.reason;
            each(&arguments.which, |daemon, projection| {
                wait(daemon.pause(projection, reason))?;
                Ok(format!("`{projection}` is paused: {reason}"))
            })
        }
        DaemonCommand::Resume(which) => each(which, |daemon, projection| {
            wait(daemon.resume(projection))?;
            Ok(format!("`{projection}` goes on where a daemon runs"))
        }),
        DaemonCommand::Rebuild(arguments) => rebuild::run(arguments),
        DaemonCommand::DeadLetters(arguments) => dead_letters::run(arguments),
    }
}

/// The store, with the projections that the program declares.
fn open(store: &StoreArgument) -> Result<Store<Engine>, Failure> {
    let connected = opening::existing(&store.address()?)?;
    history::open_existing(connected, model::bundled())
}

/// Does something for the projection named, or for all, and says what came of it.
fn each(
    which: &Which,
    mut act: impl FnMut(&Daemon, &str) -> Result<String, Failure>,
) -> Result<Finished, Failure> {
    let store = open(&which.store)?;
    let daemon = store.daemon();
    for projection in names(&daemon, which)? {
        let said = act(&daemon, &projection)?;
        if !said.is_empty() {
            writeln!(stdout().lock(), "{said}")?;
        }
    }
    Ok(Finished::Whole)
}

fn names(daemon: &Daemon, which: &Which) -> Result<Vec<String>, Failure> {
    match &which.projection {
        Some(name) => Ok(vec![name.clone()]),
        None => {
            let shards = wait(daemon.status())?;
            Ok(shards.into_iter().map(|shard| shard.projection).collect())
        }
    }
}
