//! `ermine events`.

mod append;
mod read;

use crate::arguments::{Events, EventsCommand};
use crate::failure::{Failure, Finished};

/// Appends events, or shows them.
pub(crate) fn run(arguments: &Events) -> Result<Finished, Failure> {
    match &arguments.command {
        EventsCommand::Append(arguments) => append::run(arguments),
        EventsCommand::Read(arguments) => read::run(arguments),
    }
}
