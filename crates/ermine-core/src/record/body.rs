//! The JSON text of a document, and the text a vector is embedded from.

use std::fmt::Write;

use serde::Serialize;
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use crate::{Error, ErrorKind, Id, Result, Schema};

/// The JSON text of `document` without the schema's vector fields.
///
/// Refused where a string holds U+0000, which not every store can keep (rule
/// T10), and where the document does not serialise as an object.
///
/// # Errors
///
/// `Body` where the document is no JSON object; `InvalidValue` for U+0000.
pub fn body_of(schema: &Schema, id: &Id, document: &impl Serialize) -> Result<String> {
    let refuse = |kind, message: String| {
        Error::new(kind, message).in_context(format!("document {id} of `{schema}`"))
    };
    let mut json = serde_json::to_value(document).map_err(|e| {
        refuse(ErrorKind::Body, "it does not serialise as JSON".to_owned()).with_source(e)
    })?;
    let Json::Object(fields) = &mut json else {
        return Err(refuse(
            ErrorKind::Body,
            "it serialises as something other than a JSON object".to_owned(),
        ));
    };
    for vector in schema.vectors() {
        fields.remove(vector.name());
    }
    if let Some(path) = path_of_nul(&json) {
        return Err(refuse(
            ErrorKind::InvalidValue,
            format!("the string at `{path}` holds U+0000, which is not stored; remove it"),
        ));
    }
    Ok(json.to_string())
}

fn path_of_nul(json: &Json) -> Option<String> {
    let below = |step: String, rest: String| {
        if rest.is_empty() {
            step
        } else {
            format!("{step}.{rest}")
        }
    };
    match json {
        Json::String(text) => text.contains('\0').then(String::new),
        Json::Array(items) => items
            .iter()
            .enumerate()
            .find_map(|(at, item)| path_of_nul(item).map(|rest| below(at.to_string(), rest))),
        Json::Object(fields) => fields.iter().find_map(|(name, value)| {
            if name.contains('\0') {
                return Some(name.escape_debug().to_string());
            }
            path_of_nul(value).map(|rest| below(name.clone(), rest))
        }),
        Json::Null | Json::Bool(_) | Json::Number(_) => None,
    }
}

/// The text a `from` field is embedded from: the parts in the order declared,
/// joined by newlines, absent and empty ones skipped (rule D11). Empty where
/// nothing is left: the document then has no embedding.
///
/// ```
/// use ermine_core::source_text;
/// assert_eq!(source_text([Some("Pool"), None, Some(""), Some("timeouts")]), "Pool\ntimeouts");
/// ```
pub fn source_text<'a>(parts: impl IntoIterator<Item = Option<&'a str>>) -> String {
    let mut text = String::new();
    for part in parts.into_iter().flatten().filter(|p| !p.is_empty()) {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(part);
    }
    text
}

/// The hash stored beside a vector: lowercase hex SHA-256 of the text's UTF-8 bytes (rule P7).
///
/// Nothing is normalised: a composed and a decomposed “é” hash differently.
///
/// ```
/// use ermine_core::content_hash;
/// assert_eq!(
///     content_hash("alpha"),
///     "8ed3f6ad685b959ead7022518e1af76cd816f8e8ec7ccdda1ed4018e8f2223f8",
/// );
/// ```
pub fn content_hash(text: &str) -> String {
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(text.as_bytes()) {
        // Writing to a `String` does not fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}
