//! What a type or field may be called.

use crate::{Error, ErrorKind, Result};

/// The longest name, in bytes, that every store can make an identifier of.
const LONGEST: usize = 48;

pub(super) fn check_collection(name: &str) -> Result<()> {
    let fits = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if fits && name.len() <= LONGEST {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Declaration,
        format!(
            "{name:?} cannot name a document type: use a lower-case letter, then lower-case letters, digits and `_`, {LONGEST} bytes at most"
        ),
    ))
}

/// Field names may hold dots, quotes and spaces; what no store could keep apart
/// is refused here, so that all stores refuse alike (rule F4).
pub(super) fn check_field(collection: &str, name: &str) -> Result<()> {
    let problem = if name.is_empty() {
        "it is empty".to_owned()
    } else if name.len() > LONGEST {
        format!("it is longer than {LONGEST} bytes")
    } else if name.chars().any(char::is_control) {
        "it holds a control character".to_owned()
    } else {
        return Ok(());
    };
    Err(Error::new(
        ErrorKind::Declaration,
        format!("{name:?} cannot name a field of `{collection}`: {problem}"),
    ))
}

/// `a`, `b` and `c`, for messages.
pub(super) fn list<'a>(names: impl Iterator<Item = &'a str> + Clone) -> String {
    let count = names.clone().count();
    let mut text = String::new();
    for (at, name) in names.enumerate() {
        if at > 0 {
            text.push_str(if at + 1 == count { " and " } else { ", " });
        }
        text.push('`');
        text.push_str(name);
        text.push('`');
    }
    if text.is_empty() {
        text.push_str("none");
    }
    text
}
