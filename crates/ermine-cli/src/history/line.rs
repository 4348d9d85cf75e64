//! What a line of JSON tells of an event.

use std::collections::BTreeMap;

use ermine_core::Timestamp;
use serde_json::{Map, Value as Json};

use super::Change;

/// An event without its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line {
    pub(crate) change: Change,
    pub(crate) at: Option<Timestamp>,
    pub(crate) headers: BTreeMap<String, String>,
}

impl Line {
    /// Takes an event from an object: its type, time and fields, which may stand in `data`,
    /// as the program writes them. What is left is said in headers.
    ///
    /// # Errors
    ///
    /// What is missing or wrong, in words.
    pub(crate) fn of(mut members: Map<String, Json>) -> Result<Self, String> {
        let kind = text_of(&mut members, "type")?.parse()?;
        let at = match members.contains_key("at") {
            true => {
                let at = text_of(&mut members, "at")?;
                Some(at.parse().map_err(|e: ermine_core::Error| e.to_string())?)
            }
            false => None,
        };
        members.remove("position");
        if let Some(headers) = object_of(&mut members, "headers")? {
            members.extend(headers);
        }
        let mut change = Change::of(kind);
        if let Some(mut data) = object_of(&mut members, "data")? {
            change = change.taken_from(&mut data)?;
            if let Some(other) = data.keys().next() {
                return Err(format!("`data`: {}", nothing_that_changes(other)));
            }
        }
        let change = change.taken_from(&mut members)?;
        let text = |value| match value {
            Json::String(text) => text,
            other => other.to_string(),
        };
        let headers = members.into_iter();
        Ok(Self {
            change,
            at,
            headers: headers.map(|(name, value)| (name, text(value))).collect(),
        })
    }
}

/// What is said of a member that no event has.
pub(crate) fn nothing_that_changes(name: &str) -> String {
    format!("`{name}` is nothing that an event changes; that are title, body, tags and file")
}

/// An object's member that is an object, where it is there.
fn object_of(
    members: &mut Map<String, Json>,
    name: &str,
) -> Result<Option<Map<String, Json>>, String> {
    match members.remove(name) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::Object(object)) => Ok(Some(object)),
        Some(_) => Err(format!("`{name}` is no object")),
    }
}

/// An object's member that is text and not empty.
pub(crate) fn text_of(members: &mut Map<String, Json>, name: &str) -> Result<String, String> {
    match members.remove(name) {
        Some(Json::String(text)) if !text.is_empty() => Ok(text),
        _ => Err(format!("`{name}` is missing, or is no text")),
    }
}

/// The object that a text is.
pub(crate) fn object(text: &str) -> Result<Map<String, Json>, String> {
    serde_json::from_str(text).map_err(|error| format!("it is no JSON object: {error}"))
}
