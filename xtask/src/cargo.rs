//! Running Cargo.

use std::process::{Command, Stdio};

/// A Cargo command of this repository, with what to set in its environment.
pub(crate) struct Cargo<'a> {
    pub(crate) arguments: &'a [&'a str],
    pub(crate) environment: &'a [(&'a str, &'a str)],
}

impl Cargo<'_> {
    /// Runs it with this process's output; the message of an error is the command to repeat.
    pub(crate) fn run(&self) -> Result<(), String> {
        self.run_with(&[])
    }

    /// The same, with more in its environment that the message leaves out.
    pub(crate) fn run_with(&self, untold: &[(&str, &str)]) -> Result<(), String> {
        let status = self
            .command()
            .envs(untold.iter().copied())
            .status()
            .map_err(|error| format!("cargo did not start: {error}"))?;
        if status.success() {
            return Ok(());
        }
        Err(format!(
            "failed ({status}). Repeat it with:\n\n    {self}\n"
        ))
    }

    /// Whether it runs and succeeds; nothing is printed.
    pub(crate) fn succeeds(&self) -> bool {
        let mut command = self.command();
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }

    fn command(&self) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        command
            .args(self.arguments)
            .envs(self.environment.iter().copied());
        command
    }
}

impl std::fmt::Display for Cargo<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (name, value) in self.environment {
            write!(f, "{name}='{value}' ")?;
        }
        f.write_str("cargo")?;
        for argument in self.arguments {
            if argument.contains(char::is_whitespace) {
                write!(f, " '{argument}'")?;
            } else {
                write!(f, " {argument}")?;
            }
        }
        Ok(())
    }
}
