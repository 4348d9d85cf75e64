//! `ermine daemon`.

use clap::{Args, Subcommand, ValueEnum};

use super::{StatusFormat, StoreArgument};

/// Keep the vectors of what events feed, and look after that
///
/// The program has one projection, history-vectors, which keeps the vectors of the
/// collection history. `ermine import` runs it until it has caught up; the daemon
/// follows for good what others append. Any number of processes may run it on one
/// store: one of them leads, and another takes over within ten seconds where that one
/// goes away.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  ermine daemon run                          until it is told to stop
  ermine daemon run --once                   until it has caught up
  ermine daemon status || echo \"look after it\"
  ermine daemon pause --reason \"a new model comes tonight\"
  ermine daemon resume
  ermine daemon rebuild --dry-run            what it would cost
  ermine daemon dead-letters --replay")]
pub(crate) struct Daemon {
    #[command(subcommand)]
    pub(crate) command: DaemonCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DaemonCommand {
    Run(Run),
    Status(Status),
    Pause(Pause),
    Resume(Which),
    Rebuild(Rebuild),
    DeadLetters(DeadLetters),
}

/// Run the projections, until Ctrl-C or SIGTERM
///
/// A page that is begun is applied, and the lead is given up, so that another process
/// takes over at once.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  ermine daemon run
  ermine daemon run --once
  ermine daemon run --on-error park")]
pub(crate) struct Run {
    /// Until they have applied what there is now
    #[arg(long)]
    pub(crate) once: bool,

    /// What becomes of an event that cannot be applied
    #[arg(long, value_enum, default_value_t)]
    pub(crate) on_error: OnError,

    #[command(flatten)]
    pub(crate) store: StoreArgument,
}

/// What becomes of an event that cannot be applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum OnError {
    /// The projection is paused
    #[default]
    Stop,
    /// It is set aside, and the projection goes on: see dead-letters
    Park,
}

/// Tell how far the projections are, who leads them, and what is wrong
///
/// Exit code 3: a projection is paused, or nobody leads it. For health checks.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  ermine daemon status
  ermine daemon status --format json | jq '.[].lag_events'")]
pub(crate) struct Status {
    /// How to show it
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: StatusFormat,

    #[command(flatten)]
    pub(crate) store: StoreArgument,
}

/// Let a projection stand still, in every process, until it is resumed
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  ermine daemon pause --reason \"a new model comes tonight\"")]
pub(crate) struct Pause {
    /// Why, for those who look
    #[arg(long, value_name = "TEXT", default_value = "it was paused by hand")]
    pub(crate) reason: String,

    #[command(flatten)]
    pub(crate) which: Which,
}

/// Let a projection that stands still go on
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  ermine daemon resume
  ermine daemon resume history-vectors")]
pub(crate) struct Which {
    /// The projection [default: all]
    #[arg(value_name = "PROJECTION")]
    pub(crate) projection: Option<String>,

    #[command(flatten)]
    pub(crate) store: StoreArgument,
}

/// Make a projection anew from the first event on
///
/// The old vectors are found until the new ones are written, and a text that did not
/// change costs no call. Whoever leads the projection gives it up for that; a pause ends.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  ermine daemon rebuild --dry-run
  ermine daemon rebuild")]
pub(crate) struct Rebuild {
    /// Write nothing and embed nothing: tell rows, texts, tokens and calls
    #[arg(long)]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) which: Which,
}

/// List the events that a projection set aside, or try them again
///
/// A line of JSON for each: projection, position, at, reason and tenant.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  ermine daemon dead-letters
  ermine daemon dead-letters --replay")]
pub(crate) struct DeadLetters {
    /// Apply them; what fails again stays
    #[arg(long)]
    pub(crate) replay: bool,

    #[command(flatten)]
    pub(crate) which: Which,
}
