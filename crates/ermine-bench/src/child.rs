//! Processes of this program's own, which may be killed.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

use crate::place::Place;
use crate::{Result, events, history, shared};

/// What a process of this program's own does.
pub(crate) async fn run(arguments: &[&str]) -> Result<()> {
    let place = |text: &str| -> Result<Place> { Ok(text.parse()?) };
    match arguments {
        [_, "history", store, folder] => history::child(&place(store)?, Path::new(folder)).await,
        [_, "lead", store, lease] => shared::lead(&place(store)?, lease).await,
        [_, "append", store, seconds, seed] => shared::append(&place(store)?, seconds, seed).await,
        [_, "events", stage, store, count, streams] => {
            let stage: events::Stage = stage.parse()?;
            stage
                .run(&place(store)?, count.parse()?, streams.parse()?)
                .await
        }
        other => Err(format!("no process does {other:?}").into()),
    }
}

/// A process that does not outlive its value.
pub(crate) struct Process(Child);

impl Process {
    /// Runs this program with other arguments.
    pub(crate) fn start(arguments: &[&str]) -> Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        Self::of(command.arg("child").args(arguments))
    }

    /// The same, killed by the system where it writes beyond so many blocks of 512 bytes of a file.
    pub(crate) fn start_limited(blocks: u64, arguments: &[&str]) -> Result<Self> {
        let mut command = Command::new("sh");
        command
            .args([
                "-c",
                "ulimit -c 0; ulimit -f \"$1\"; shift; exec \"$@\"",
                "sh",
            ])
            .arg(blocks.to_string())
            .arg(std::env::current_exe()?)
            .arg("child")
            .args(arguments);
        Self::of(&mut command)
    }

    fn of(command: &mut Command) -> Result<Self> {
        Ok(Self(
            command
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .spawn()?,
        ))
    }

    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    /// By signal 9, without notice.
    pub(crate) fn kill(&mut self) -> Result<ExitStatus> {
        self.0.kill()?;
        Ok(self.0.wait()?)
    }

    /// How it ended, if it did.
    pub(crate) fn ended(&mut self) -> Result<Option<ExitStatus>> {
        Ok(self.0.try_wait()?)
    }

    /// What it printed, once it ends well; little enough for a pipe.
    pub(crate) fn output(mut self) -> Result<String> {
        let mut text = String::new();
        if let Some(output) = self.0.stdout.as_mut() {
            output.read_to_string(&mut text)?;
        }
        let status = self.0.wait()?;
        if status.success() {
            Ok(text)
        } else {
            Err(format!("a process of the measurement failed: {status}").into())
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
