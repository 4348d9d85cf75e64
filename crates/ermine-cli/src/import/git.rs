//! `ermine import --git`: the history of a repository's Markdown files.

use std::path::Path;

use super::Progress;
use super::history::{History, Replayed};
use crate::arguments::Import;
use crate::failure::{Failure, Finished};
use crate::files::Skipped;
use crate::git::{Pages, Repository};
use crate::opening;
use crate::suggest::list;

/// Appends what is new of the history, and brings vectors up to it.
pub(super) fn run(folder: &Path, arguments: &Import) -> Result<Finished, Failure> {
    let address = arguments.store.address()?;
    address.may_be_made()?;
    let repository = Repository::at(folder)?;
    let name = arguments.git.name.clone();
    let name = name.unwrap_or_else(|| repository.name());
    if repository.is_shallow()? {
        eprintln!(
            "ermine: {} is a shallow clone: its history is imported from where it begins; for all of it, `git fetch --unshallow` and import into a new store",
            repository.folder().display()
        );
    }
    // Before anything is made.
    let replay = Replay::of(&repository, &name, &arguments.git.paths)?;
    if replay.len() == 0 {
        return Err(Failure::new(format!(
            "no commit of {} changed anything at or below {}; see what --path names",
            repository.folder().display(),
            list(arguments.git.paths.iter().map(String::as_str)),
        )));
    }
    let connected = opening::made(&address)?;
    let progress = Progress::of(replay.len() as u64, "events");
    let history = History::open(connected, arguments.language, progress)?;
    let (replayed, skipped) = replay.into_history(history)?;
    replayed.say()?;
    for Skipped { path, why } in &skipped {
        eprintln!("ermine: skipped {}: {why}", path.display());
    }
    Ok(match skipped.as_slice() {
        [] => Finished::Whole,
        _ => Finished::InPart,
    })
}

/// The commits of a repository, to be imported.
pub(crate) struct Replay {
    commits: Vec<crate::git::Commit>,
    pages: Pages,
}

impl Replay {
    /// Those that changed files at or below `paths`, or any; the streams' names begin with
    /// `name`.
    pub(crate) fn of(
        repository: &Repository,
        name: &str,
        paths: &[String],
    ) -> Result<Self, Failure> {
        Ok(Self {
            commits: repository.commits(paths)?,
            pages: Pages::new(name, repository.blobs()?),
        })
    }

    /// How many they are.
    pub(crate) fn len(&self) -> usize {
        self.commits.len()
    }

    /// Imports them, and tells which versions of files were passed over.
    pub(crate) fn into_history(
        mut self,
        mut history: History,
    ) -> Result<(Replayed, Vec<Skipped>), Failure> {
        for commit in &self.commits {
            let added = self.pages.after(commit)?.into_iter();
            let mut added = added.map(|told| history.add(told, 0));
            added
                .try_for_each(|added| added)
                .map_err(|failure| failure.with("was its history written anew?"))?;
            history.pass_over(1);
        }
        Ok((history.finish()?, self.pages.skipped))
    }
}
