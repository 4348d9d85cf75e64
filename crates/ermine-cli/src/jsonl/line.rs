//! From a line to a document.

use ermine_core::{DynamicRecord, Id};
use serde_json::Value as Json;

use crate::arguments::{FieldPath, LineOptions};
use crate::schema::field;

/// The document of a line, or what is wrong with it.
pub(super) fn document(line: &str, options: &LineOptions) -> Result<DynamicRecord, String> {
    let json: Json = serde_json::from_str(line).map_err(|error| {
        // The line is the file's; serde counts the lines of this text.
        let column = error.column();
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        format!("column {column}: it is not JSON: {message}")
    })?;
    if !json.is_object() {
        return Err("it is not a JSON object".to_owned());
    }
    let mut record = DynamicRecord::new(id(&json, options.id.as_ref())?);
    let parts = [
        (field::TITLE, options.title.as_ref(), &["title"][..]),
        (field::BODY, options.text.as_ref(), &["text", "body"]),
    ];
    for (name, named, defaults) in parts {
        if let Some((path, value)) = find(&json, named, defaults) {
            let Json::String(text) = value else {
                return Err(format!("`{}` is {}, not text", path.as_str(), kind(value)));
            };
            record
                .fields
                .insert(name.to_owned(), Json::String(text.clone()));
        }
    }
    if record.fields.is_empty() {
        return Err(match &options.text {
            Some(path) => format!("it has neither a title nor `{}`", path.as_str()),
            None => {
                "it has no `title`, `text` or `body`; name the member that is the text with --text"
                    .to_owned()
            }
        });
    }
    for spec in &options.fields {
        if let Some(value) = spec.path.find(&json) {
            record.fields.insert(spec.name.clone(), value.clone());
        }
    }
    Ok(record)
}

fn id(json: &Json, named: Option<&FieldPath>) -> Result<Id, String> {
    let Some((path, value)) = find(json, named, &["_id", "id"]) else {
        return Err(match named {
            Some(path) => format!("it has no `{}`, which was to be the id", path.as_str()),
            None => "it has no `_id` or `id`; name the member that is the id with --id".to_owned(),
        });
    };
    match value {
        Json::String(text) if !text.is_empty() => Ok(Id::Text(text.clone())),
        Json::Number(number) if !number.is_f64() => Ok(Id::Text(number.to_string())),
        other => {
            let path = path.as_str();
            Err(format!(
                "`{path}` is {}; an id is text or an integer",
                kind(other)
            ))
        }
    }
}

/// The value at the member named, or at the first of `defaults` that has one.
fn find<'a>(
    json: &'a Json,
    named: Option<&FieldPath>,
    defaults: &[&str],
) -> Option<(FieldPath, &'a Json)> {
    let named = named.cloned().into_iter();
    let paths: Vec<FieldPath> = match named.len() {
        0 => defaults.iter().map(|path| FieldPath::new(path)).collect(),
        _ => named.collect(),
    };
    paths
        .into_iter()
        .find_map(|path| path.find(json).map(|value| (path.clone(), value)))
}

fn kind(json: &Json) -> &'static str {
    match json {
        Json::Null => "null",
        Json::Bool(_) => "a truth value",
        Json::Number(number) if number.is_f64() => "a number with a fraction",
        Json::Number(_) => "an integer",
        Json::String(text) if text.is_empty() => "empty",
        Json::String(_) => "text",
        Json::Array(_) => "a list",
        Json::Object(_) => "an object",
    }
}
