//! How a command ends.

use std::error::Error;
use std::{fmt, io};

/// The exit codes of a command that was carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finished {
    /// Everything was done: 0.
    Whole,
    /// Everything else was done, and some files were skipped, each named, or some events
    /// failed again: 1.
    InPart,
    /// It was told that a projection is paused, or has no leader: 3.
    Unwell,
}

/// Why a command was not carried out: exit code 2.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What was wrong, where, and what to do.
    Said(String),
    /// The output could not be written. Where its reader has gone, that is no failure.
    Output(io::Error),
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::Said(message.into())
    }

    /// The same, with what to do about it.
    pub(crate) fn with(self, remedy: &str) -> Self {
        match self {
            Self::Said(message) => Self::Said(format!("{message}; {remedy}")),
            Self::Output(error) => Self::Output(error),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Said(message) => f.write_str(message),
            Self::Output(error) => write!(f, "writing the output: {error}"),
        }
    }
}

/// The message, and those of the errors underneath, which it does not repeat, in one line.
impl From<ermine_core::Error> for Failure {
    fn from(error: ermine_core::Error) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            message.push_str(": ");
            message.push_str(&cause.to_string());
            source = cause.source();
        }
        // A server's message may have several lines.
        let lines: Vec<&str> = message.lines().map(str::trim).collect();
        Self::Said(lines.join(" "))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
