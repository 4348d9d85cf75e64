//! The files of a history: its events, what they come to, and words that are gone.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use ermine::Timestamp;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::event::Change;
use crate::Result;

pub(super) struct History {
    pub(super) lines: Vec<Line>,
    pub(super) last: Vec<Last>,
    pub(super) ghosts: Vec<String>,
}

/// An event.
pub(super) struct Line {
    pub(super) stream: String,
    pub(super) version: u64,
    pub(super) at: Timestamp,
    pub(super) change: Change,
}

/// What a stream comes to; of a deleted one, what it came to before.
#[derive(Deserialize)]
pub(super) struct Last {
    pub(super) stream: String,
    pub(super) version: u64,
    pub(super) deleted: bool,
    pub(super) title: String,
    pub(super) tags: Vec<String>,
    pub(super) body_sha256: String,
    pub(super) body_chars: usize,
    pub(super) at: String,
}

#[derive(Deserialize)]
struct Raw {
    stream: String,
    version: u64,
    r#type: String,
    title: Option<String>,
    body: Option<String>,
    tags: Option<Vec<String>>,
    at: String,
}

#[derive(Deserialize)]
struct Ghost {
    term: String,
}

impl History {
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let raw: Vec<Raw> = read(folder, ".jsonl", |name| name.matches('.').count() == 1)?;
        let ghosts: Vec<Ghost> = read(folder, ".ghost-terms.jsonl", |_| true)?;
        Ok(Self {
            lines: raw.into_iter().map(Line::of).collect::<Result<_>>()?,
            last: read(folder, ".final.jsonl", |_| true)?,
            ghosts: ghosts.into_iter().map(|ghost| ghost.term).collect(),
        })
    }

    /// How often a document's text became each of these: what embedding may cost.
    pub(super) fn contents(&self) -> HashMap<String, usize> {
        let mut texts: BTreeMap<&str, (String, String)> = BTreeMap::new();
        let mut became: BTreeMap<&str, String> = BTreeMap::new();
        let mut counts = HashMap::new();
        for line in &self.lines {
            let (title, body) = texts.entry(&line.stream).or_default();
            match &line.change {
                Change::Recorded {
                    title: new,
                    body: text,
                    ..
                } => (*title, *body) = (new.clone(), text.clone()),
                Change::Revised { body: text } => *body = text.clone(),
                Change::Renamed { title: new } => *title = new.clone(),
                Change::Tagged { .. } => {}
                Change::Forgotten => {
                    became.remove(&*line.stream);
                    texts.remove(&*line.stream);
                    continue;
                }
            }
            let content = format!("{title}\n{body}").trim().to_owned();
            if content.is_empty() {
                became.remove(&*line.stream);
            } else if became.get(&*line.stream) != Some(&content) {
                *counts.entry(content.clone()).or_default() += 1;
                became.insert(&line.stream, content);
            }
        }
        counts
    }
}

impl Line {
    fn of(raw: Raw) -> Result<Self> {
        let lacks = |field| format!("event {} of {} has no {field}", raw.version, raw.stream);
        let title = raw.title.ok_or_else(|| lacks("title"));
        let body = raw.body.ok_or_else(|| lacks("body"));
        let tags = raw.tags.ok_or_else(|| lacks("tags"));
        let change = match raw.r#type.as_str() {
            "Recorded" => Change::Recorded {
                title: title?,
                body: body?,
                tags: tags?,
            },
            "Revised" => Change::Revised { body: body? },
            "Renamed" => Change::Renamed { title: title? },
            "Tagged" => Change::Tagged { tags: tags? },
            "Forgotten" => Change::Forgotten,
            other => return Err(format!("{other:?} is no event of a history").into()),
        };
        Ok(Self {
            at: raw.at.parse()?,
            stream: raw.stream,
            version: raw.version,
            change,
        })
    }
}

/// The one file of the folder whose name ends so.
fn read<T: DeserializeOwned>(
    folder: &Path,
    end: &str,
    is_meant: impl Fn(&str) -> bool,
) -> Result<Vec<T>> {
    let failed = |error| format!("{}: {error}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| name.ends_with(end)) else {
            continue;
        };
        if is_meant(name) {
            let text = std::fs::read_to_string(entry.path())?;
            let rows: Result<Vec<T>> = text
                .lines()
                .map(|line| Ok(serde_json::from_str(line)?))
                .collect();
            return rows;
        }
    }
    Err(format!("{} holds no file *{end}", folder.display()).into())
}
