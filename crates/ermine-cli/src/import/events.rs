//! `ermine import --events`: a history, a line for each event.

use std::collections::HashMap;
use std::path::Path;

use super::Progress;
use super::history::History;
use crate::arguments::Import;
use crate::failure::{Failure, Finished};
use crate::history::{Line, Told, object, text_of};
use crate::{jsonl, opening};

/// Appends what is new of the file, and brings vectors up to it.
pub(super) fn run(file: &Path, arguments: &Import) -> Result<Finished, Failure> {
    let address = arguments.store.address()?;
    address.may_be_made()?;
    let bytes = check(file)?;
    let connected = opening::made(&address)?;
    let progress = Progress::of(bytes, "events");
    let mut history = History::open(connected, arguments.language, progress)?;
    for line in jsonl::raw(file)? {
        let line = line?;
        let told = read(&line.text).map_err(|problem| jsonl::at(file, line.number, problem))?;
        let added = history.add(told, line.bytes);
        added.map_err(|failure| jsonl::at(file, line.number, failure))?;
    }
    history.finish()?.say()?;
    Ok(Finished::Whole)
}

/// Reads the whole file before anything is made or written, and returns its length.
fn check(file: &Path) -> Result<u64, Failure> {
    let mut bytes = 0;
    let mut versions: HashMap<String, u64> = HashMap::new();
    for line in jsonl::raw(file)? {
        let line = line?;
        let refuse = |problem| jsonl::at(file, line.number, problem);
        let told = read(&line.text).map_err(refuse)?;
        if let Some(last) = versions.get(&told.stream)
            && last.checked_add(1) != Some(told.version)
        {
            return Err(refuse(format!(
                "event {} of the stream `{}` follows its event {last} in this file; versions go up by one",
                told.version, told.stream
            )));
        }
        versions.insert(told.stream, told.version);
        bytes += line.bytes;
    }
    Ok(bytes)
}

/// The event of a line, or what is wrong with it.
fn read(text: &str) -> Result<Told, String> {
    let mut members = object(text)?;
    let stream = text_of(&mut members, "stream")?;
    let version = members.remove("version").and_then(|v| v.as_u64());
    let version = version.filter(|version| *version > 0);
    let version = version.ok_or("`version` is missing, or is no whole number from 1")?;
    let line = Line::of(members)?;
    Ok(Told {
        stream,
        version,
        change: line.change,
        at: line.at.ok_or("`at` is missing")?,
        headers: line.headers,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(line: &str) -> String {
        read(line).unwrap_err()
    }

    #[test]
    fn a_line_is_an_event_and_what_is_said_about_it() {
        let line = r#"{"stream": "a", "version": 2, "type": "Revised", "at": "2024-05-01T10:00:00Z", "body": "New.", "commit": "c1", "seq": 7}"#;
        let told = read(line).unwrap();
        assert_eq!((told.stream.as_str(), told.version), ("a", 2));
        assert_eq!(told.change.fields.len(), 1);
        assert_eq!(told.headers["commit"], "c1");
        assert_eq!(told.headers["seq"], "7");
    }

    #[test]
    fn a_line_that_was_read_from_a_store_is_the_same_event() {
        let line = r#"{"position": 9, "stream": "a", "version": 2, "type": "Revised", "at": "2024-05-01T10:00:00Z", "data": {"body": "New."}, "headers": {"commit": "c1", "seq": "7"}}"#;
        let flat = r#"{"stream": "a", "version": 2, "type": "Revised", "at": "2024-05-01T10:00:00Z", "body": "New.", "commit": "c1", "seq": 7}"#;
        assert_eq!(read(line).unwrap(), read(flat).unwrap());
    }

    #[test]
    fn what_a_line_lacks_is_named() {
        assert!(refused("[]").contains("no JSON object"));
        assert!(refused(r#"{"stream": ""}"#).contains("`stream`"));
        assert!(refused(r#"{"stream": "a", "version": 1, "type": "Gone"}"#).contains("Forgotten"));
        let at = r#"{"stream": "a", "type": "Forgotten", "at": "yesterday", "version": 1}"#;
        assert!(refused(at).contains("yesterday"), "{}", refused(at));
        let version =
            r#"{"stream": "a", "type": "Forgotten", "at": "2024-05-01T10:00:00Z", "version": 0}"#;
        assert!(refused(version).contains("`version`"));
        let title = r#"{"stream": "a", "type": "Recorded", "at": "2024-05-01T10:00:00Z", "version": 1, "title": 5}"#;
        assert!(refused(title).contains("`title` is not text"));
    }
}
