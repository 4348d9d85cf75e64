//! Whose processes the server's are: PostgreSQL refuses to run as root.

use std::ffi::OsStr;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// The account that a root user's server runs under; every Unix has it.
const NOBODY: &str = "nobody";

/// An account that PostgreSQL agrees to run under.
#[derive(Clone, Copy)]
pub(super) enum Account {
    /// The one that runs this program.
    Own,
    /// Another, since this program runs as root.
    Nobody { user: u32, group: u32 },
}

impl Account {
    pub(super) fn unprivileged() -> Result<Self, String> {
        if id(&["-u"])? != 0 {
            return Ok(Self::Own);
        }
        Ok(Self::Nobody {
            user: id(&["-u", NOBODY])?,
            group: id(&["-g", NOBODY])?,
        })
    }

    /// A command run under the account.
    pub(super) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        if let Self::Nobody { user, group } = self {
            command.uid(*user).gid(*group);
        }
        command
    }

    /// Makes the account the owner of a folder.
    pub(super) fn own(&self, folder: &Path) -> Result<(), String> {
        let Self::Nobody { user, group } = self else {
            return Ok(());
        };
        chown(folder, Some(*user), Some(*group)).map_err(|error| {
            format!(
                "{} cannot be given to `{NOBODY}`: {error}",
                folder.display()
            )
        })
    }
}

fn id(arguments: &[&str]) -> Result<u32, String> {
    let asked = format!("id {}", arguments.join(" "));
    let output = Command::new("id")
        .args(arguments)
        .output()
        .map_err(|error| format!("`{asked}` did not start: {error}"))?;
    String::from_utf8_lossy(&output.stdout)
        .trim()
        .parse()
        .map_err(|_| {
            format!(
                "`{asked}` gave no number, and PostgreSQL does not run as root; run this as \
                 another user, or name a server in {}",
                super::VARIABLE
            )
        })
}
