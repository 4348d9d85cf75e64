//! A repository, and calling `git` in it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::blobs::Blobs;
use super::log::{self, Commit};
use crate::failure::Failure;

/// A repository, by the folder `git` is run in.
#[derive(Debug, Clone)]
pub(crate) struct Repository {
    folder: PathBuf,
}

impl Repository {
    /// The repository that a folder is in.
    ///
    /// # Errors
    ///
    /// Where there is no `git`, no such folder, or no repository.
    pub(crate) fn at(folder: &Path) -> Result<Self, Failure> {
        if !folder.is_dir() {
            return Err(Failure::new(format!(
                "{} is no folder; name one that is a git repository",
                folder.display()
            )));
        }
        let mut repository = Self {
            folder: folder.to_owned(),
        };
        let bare = repository.says(&["rev-parse", "--is-bare-repository"])? == "true";
        let folder = match bare {
            true => repository.says(&["rev-parse", "--absolute-git-dir"])?,
            false => repository.says(&["rev-parse", "--show-toplevel"])?,
        };
        repository.folder = PathBuf::from(folder);
        Ok(repository)
    }

    /// The folder of its files.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// What its folder is called.
    pub(crate) fn name(&self) -> String {
        let name = self.folder.file_name().unwrap_or_default();
        let name = name.to_string_lossy();
        let name = name.strip_suffix(".git").unwrap_or(&name);
        match name {
            "" => "repository".to_owned(),
            name => name.to_owned(),
        }
    }

    /// Whether the beginning of its history is missing.
    pub(crate) fn is_shallow(&self) -> Result<bool, Failure> {
        Ok(self.says(&["rev-parse", "--is-shallow-repository"])? == "true")
    }

    /// The commits that led to the present one, first parents only, the oldest first, with
    /// the files at or below `paths` that each changed; of no paths, all.
    pub(crate) fn commits(&self, paths: &[String]) -> Result<Vec<Commit>, Failure> {
        let mut arguments = log::ARGUMENTS.map(str::to_owned).to_vec();
        arguments.push("--".to_owned());
        arguments.extend(paths.iter().map(|path| format!(":(top,literal){path}")));
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        log::read(&self.output(&arguments)?)
    }

    /// What reads the contents of files.
    pub(crate) fn blobs(&self) -> Result<Blobs, Failure> {
        let mut command = self.command(&["cat-file", "--batch"]);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        Blobs::of(child.map_err(|error| cannot_run(&error))?)
    }

    fn says(&self, arguments: &[&str]) -> Result<String, Failure> {
        let said = String::from_utf8_lossy(&self.output(arguments)?).into_owned();
        Ok(said.trim_end_matches(['\n', '\r']).to_owned())
    }

    fn output(&self, arguments: &[&str]) -> Result<Vec<u8>, Failure> {
        let output = self.command(arguments).stdin(Stdio::null()).output();
        let output = output.map_err(|error| cannot_run(&error))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let said: Vec<&str> = said.lines().map(str::trim).collect();
            return Err(Failure::new(format!(
                "git in {}: {}",
                self.folder.display(),
                said.join(" ")
            )));
        }
        Ok(output.stdout)
    }

    /// `git`, of which neither the caller's surroundings nor settings change what it says.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
            command.env_remove(variable);
        }
        command.env("LC_ALL", "C").arg("-C").arg(&self.folder);
        for setting in [
            "log.follow=false",
            "log.showRoot=true",
            "log.diffMerges=separate",
            "diff.renameLimit=0",
        ] {
            command.args(["-c", setting]);
        }
        command.args(arguments);
        command
    }
}

fn cannot_run(error: &std::io::Error) -> Failure {
    Failure::new(match error.kind() {
        ErrorKind::NotFound => {
            "the program git is not found, and a repository's history is read by it; install it"
                .to_owned()
        }
        _ => format!("git cannot be run: {error}"),
    })
}
