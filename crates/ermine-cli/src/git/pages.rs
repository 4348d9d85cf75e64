//! From commits to the events of documents.

use std::collections::{BTreeMap, HashMap};

use super::blobs::Blobs;
use super::log::{Commit, FileChange};
use crate::failure::Failure;
use crate::files::{self, Skipped};
use crate::history::{Change, Kind, Told};
use crate::passages;
use crate::schema::field;

/// The Markdown files of a repository as it was after some commit, each the document of a
/// stream.
pub(crate) struct Pages {
    /// What the streams' names begin with.
    prefix: String,
    blobs: Blobs,
    pages: HashMap<String, Page>,
    /// How many streams began at each path.
    begun: HashMap<String, usize>,
    /// The versions that are no text.
    pub(crate) skipped: Vec<Skipped>,
}

/// A Markdown file.
struct Page {
    stream: String,
    version: u64,
    title: String,
    body: String,
}

impl Pages {
    pub(crate) fn new(prefix: &str, blobs: Blobs) -> Self {
        Self {
            prefix: prefix.to_owned(),
            blobs,
            pages: HashMap::new(),
            begun: HashMap::new(),
            skipped: Vec::new(),
        }
    }

    /// The events of the next commit, those of a stream in their order.
    pub(crate) fn after(&mut self, commit: &Commit) -> Result<Vec<Told>, Failure> {
        let mut told = Vec::new();
        // Two files may have changed places.
        let mut moved: Vec<(Option<Page>, &FileChange)> = Vec::new();
        for change in &commit.changes {
            let page = change
                .from
                .as_ref()
                .and_then(|path| self.pages.remove(path));
            moved.push((page, change));
        }
        for (page, change) in moved {
            let to = change
                .to
                .as_ref()
                .filter(|(path, _)| files::is_markdown(path));
            let Some((path, id)) = to else {
                if let Some(mut page) = page {
                    told.push(page.tells(Change::of(Kind::Forgotten), commit));
                }
                continue;
            };
            let bytes = self.blobs.read(id)?;
            let text = match files::text_of(bytes) {
                Ok(text) => text,
                Err(why) => {
                    let path = format!("{path} at {}", commit.id).into();
                    self.skipped.push(Skipped { path, why });
                    // What it was before is what is known of it.
                    let (Some(mut page), Some((path, _))) = (page, &change.to) else {
                        continue;
                    };
                    if change.from.as_ref() != Some(path) {
                        let renamed = Change::of(Kind::Renamed).with(field::FILE, path.as_str());
                        told.push(page.tells(renamed, commit));
                    }
                    self.pages.insert(path.clone(), page);
                    continue;
                }
            };
            let title = passages::title(path, &text);
            let page = match page {
                Some(page) => {
                    let moved = change.from.as_ref() != Some(path);
                    page.becomes(moved.then_some(path), title, text, commit, &mut told)
                }
                None => self.begin(path, title, text, commit, &mut told),
            };
            self.pages.insert(path.clone(), page);
        }
        Ok(told)
    }

    fn begin(
        &mut self,
        path: &str,
        title: String,
        body: String,
        commit: &Commit,
        told: &mut Vec<Told>,
    ) -> Page {
        let begun = self.begun.entry(path.to_owned()).or_default();
        *begun += 1;
        let stream = match begun {
            1 => format!("{}/{path}", self.prefix),
            again => format!("{}/{path}#{again}", self.prefix),
        };
        let recorded = Change::of(Kind::Recorded)
            .with(field::TITLE, title.as_str())
            .with(field::BODY, body.as_str())
            .with(field::FILE, path);
        let mut page = Page {
            stream,
            version: 0,
            title,
            body,
        };
        told.push(page.tells(recorded, commit));
        page
    }
}

impl Page {
    /// The page with another text, or at another path.
    fn becomes(
        mut self,
        path: Option<&String>,
        title: String,
        body: String,
        commit: &Commit,
        told: &mut Vec<Told>,
    ) -> Self {
        let mut renamed = Change::of(Kind::Renamed);
        if title != self.title {
            renamed = renamed.with(field::TITLE, title.as_str());
        }
        if let Some(path) = path {
            renamed = renamed.with(field::FILE, path.as_str());
        }
        if !renamed.fields.is_empty() {
            told.push(self.tells(renamed, commit));
        }
        if body != self.body {
            let revised = Change::of(Kind::Revised).with(field::BODY, body.as_str());
            told.push(self.tells(revised, commit));
        }
        self.title = title;
        self.body = body;
        self
    }

    /// The next event of its stream.
    fn tells(&mut self, change: Change, commit: &Commit) -> Told {
        self.version += 1;
        let headers = [("author", &commit.author), ("commit", &commit.id)];
        let headers: BTreeMap<String, String> = headers
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.clone()))
            .collect();
        Told {
            stream: self.stream.clone(),
            version: self.version,
            change,
            at: commit.at,
            headers,
        }
    }
}
