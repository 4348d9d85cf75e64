//! Where the documentation comes from: its history, or the pages in the program.

use std::path::{Path, PathBuf};
use std::{env, iter};

use ermine::Store;
use ermine_core::{Column, DynamicRecord, Engine, Timestamp};
use serde_json::Value as Json;

use super::documentation::DOCUMENTATION;
use crate::failure::Failure;
use crate::git::Repository;
use crate::history::{COLLECTION, Change, Kind, Told};
use crate::import::{History, Progress, Replay, Replayed, counted};
use crate::opening::Connected;
use crate::passages;
use crate::schema::field;
use crate::wait::wait;

/// What the streams' names begin with, whatever a clone's folder is called.
const NAME: &str = "ermine";

/// A file that only Ermine's repository has.
const MARK: &str = "crates/ermine-cli/src/demo/source.rs";

/// What is imported.
pub(super) enum Source {
    /// The commits of the repository.
    History { replay: Box<Replay>, of: String },
    /// The pages as they were when the program was built, and why no more.
    Pages { why: String },
}

impl Source {
    /// The repository the program is run in, or by `cargo run` from; else the pages.
    pub(super) fn find() -> Self {
        let cargo = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let mut why = None;
        for folder in iter::once(PathBuf::from(".")).chain(cargo) {
            match history(&folder) {
                Ok(Some(found)) => return found,
                Ok(None) => {}
                Err(failure) => why = Some(failure.to_string()),
            }
        }
        let why = why.unwrap_or_else(|| "this is not its repository".to_owned());
        Self::Pages { why }
    }

    /// Imports it, and tells what was imported.
    pub(super) fn import(self, connected: Connected) -> Result<(Replayed, String), Failure> {
        match self {
            Self::History { replay, of } => {
                let progress = Progress::of(replay.len() as u64, "events");
                let said = format!(
                    "The history of Ermine's documentation, told by {} of {of},",
                    counted(replay.len(), "commit"),
                );
                let history = History::open(connected, None, progress)?;
                let (replayed, _) = replay.into_history(history)?;
                Ok((replayed, said))
            }
            Self::Pages { why } => {
                let history = History::open(connected, None, Progress::silent())?;
                let said = format!(
                    "No git history of Ermine's documentation is at hand ({why}), so each page is recorded as it is now, which"
                );
                Ok((record(history)?, said))
            }
        }
    }
}

/// The history of the repository that a folder is in, where that is Ermine's.
fn history(folder: &Path) -> Result<Option<Source>, Failure> {
    let repository = Repository::at(folder)?;
    if !repository.folder().join(MARK).is_file() {
        return Ok(None);
    }
    let mut of = repository.folder().display().to_string();
    if repository.is_shallow()? {
        of.push_str(" (a shallow clone, which begins late)");
    }
    let replay = Box::new(Replay::of(&repository, NAME, &[])?);
    Ok(Some(Source::History { replay, of }))
}

/// Records the pages that are new, and what changed of others.
fn record(mut history: History) -> Result<Replayed, Failure> {
    let at = Timestamp::now();
    for (name, text) in DOCUMENTATION {
        let stream = format!("{NAME}/{name}");
        let (mut version, page) = page(history.store(), &stream)?;
        for change in changes(name, text, page.as_ref()) {
            version += 1;
            let told = Told {
                stream: stream.clone(),
                version,
                change,
                at,
                headers: Default::default(),
            };
            history.add(told, 0)?;
        }
    }
    history.finish()
}

/// A page as it is stored, and its stream's version.
fn page(store: &Store<Engine>, stream: &str) -> Result<(u64, Option<DynamicRecord>), Failure> {
    let reader = store.reader_without_tenant();
    let state = wait(reader.stream_state(stream))?;
    let id = Column::<DynamicRecord, String>::named(field::ID);
    let query = reader.query_in(&store.dynamic(COLLECTION)?);
    let found = wait(query.filter(id.eq(stream)).limit(1))?;
    Ok((
        state.map_or(0, |state| state.version),
        found.into_iter().next(),
    ))
}

/// What makes a page say this text.
fn changes(name: &str, text: &str, page: Option<&DynamicRecord>) -> Vec<Change> {
    let title = passages::title(name, text);
    let Some(page) = page else {
        let recorded = Change::of(Kind::Recorded);
        return vec![
            recorded
                .with(field::TITLE, title)
                .with(field::BODY, text)
                .with(field::FILE, name),
        ];
    };
    let says = |field: &str, text: &str| page.get(field).and_then(Json::as_str) == Some(text);
    let mut changes = Vec::new();
    if !says(field::TITLE, &title) {
        changes.push(Change::of(Kind::Renamed).with(field::TITLE, title));
    }
    if !says(field::BODY, text) {
        changes.push(Change::of(Kind::Revised).with(field::BODY, text));
    }
    changes
}

#[cfg(test)]
mod tests {
    use ermine_core::Id;

    use super::*;

    #[test]
    fn a_page_that_says_the_same_changes_nothing() {
        let stored = DynamicRecord::new(Id::Text("ermine/a.md".to_owned()))
            .with(field::TITLE, "A")
            .with(field::BODY, "# A\n\nTea.\n");
        assert_eq!(changes("a.md", "# A\n\nTea.\n", Some(&stored)), []);
        let kinds = |text: &str, page| -> Vec<Kind> {
            let changes = changes("a.md", text, page);
            changes.into_iter().map(|change| change.kind).collect()
        };
        assert_eq!(kinds("# A\n\nSoup.\n", Some(&stored)), [Kind::Revised]);
        assert_eq!(
            kinds("# B\n\nTea.\n", Some(&stored)),
            [Kind::Renamed, Kind::Revised]
        );
        assert_eq!(kinds("# A\n", None), [Kind::Recorded]);
    }
}
