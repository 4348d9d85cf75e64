//! The data of events: JSON text without the name of the type.
//!
//! Derived code calls this. An enum's tag is taken off and put on as text, so that
//! every number comes back as it was written.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::{Error, ErrorKind, Result};

/// The data of an event whose type is a struct.
pub fn of_struct(event_type: &str, event: &impl Serialize) -> Result<String> {
    let text = serde_json::to_string(event).map_err(|e| unserialisable(event_type, e))?;
    refuse_nul(event_type, text)
}

/// The data of an event whose type is a variant: what stands under serde's tag.
pub fn of_variant(event_type: &str, event: &impl Serialize) -> Result<String> {
    let text = of_struct(event_type, event)?;
    // A variant without data is its tag alone.
    if text.starts_with('"') {
        return Ok("null".to_owned());
    }
    let untagged = serde_json::from_str::<BTreeMap<String, &RawValue>>(&text);
    match untagged.map(|map| map.into_values().collect::<Vec<_>>()) {
        Ok(values) if values.len() == 1 => Ok(values.iter().map(|data| data.get()).collect()),
        _ => Err(Error::new(
            ErrorKind::Body,
            format!(
                "an event {event_type:?} does not serialise as serde's externally tagged enums do; derive `Serialize` for its enum"
            ),
        )),
    }
}

/// The struct that `data` is of.
pub fn to_struct<T: DeserializeOwned>(data: &str) -> Result<T> {
    serde_json::from_str(data)
        .map_err(|e| Error::new(ErrorKind::Body, "its data does not fit its type").with_source(e))
}

/// The enum whose variant, which serde reads as `variant`, `data` is of.
pub fn to_variant<T: DeserializeOwned>(variant: &str, data: &str) -> Result<T> {
    let tag = serde_json::Value::from(variant);
    to_struct(&format!("{{{tag}:{data}}}"))
}

/// What is stored is of none of the types that a Rust type reads.
pub fn of_another_type(event_type: &str, known: &[&str]) -> Error {
    Error::new(
        ErrorKind::TypeMismatch,
        format!("its type is {event_type:?}, and what it is read as has {known:?}"),
    )
}

fn unserialisable(event_type: &str, cause: serde_json::Error) -> Error {
    Error::new(
        ErrorKind::Body,
        format!("an event {event_type:?} does not serialise as JSON"),
    )
    .with_source(cause)
}

/// Refuses a string with U+0000: what is made of the event could not be stored (rule T10).
fn refuse_nul(event_type: &str, text: String) -> Result<String> {
    let mut rest = text.as_str();
    while let Some((_, after)) = rest.split_once('\\') {
        if after.starts_with("u0000") {
            return Err(Error::new(
                ErrorKind::InvalidValue,
                format!(
                    "an event {event_type:?} holds a string with U+0000, which is not stored; remove it"
                ),
            ));
        }
        // What is escaped may be a backslash, which escapes nothing itself.
        let mut escaped = after.chars();
        escaped.next();
        rest = escaped.as_str();
    }
    Ok(text)
}
