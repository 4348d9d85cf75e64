//! `--field year=metadata.year:int`.

use std::str::FromStr;

use ermine_core::{ColumnType, ScalarType};
use serde_json::Value as Json;

use crate::schema::RESERVED;
use crate::suggest::{closest, list};

/// Where a value is in a JSON object: a member, or members within members joined by dots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FieldPath(String);

impl FieldPath {
    pub(crate) fn new(path: &str) -> Self {
        Self(path.to_owned())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The value there, where there is one and it is not null. A member whose own name
    /// holds the dots goes before.
    pub(crate) fn find<'a>(&self, object: &'a Json) -> Option<&'a Json> {
        let found = object.get(&self.0).or_else(|| {
            let mut steps = self.0.split('.');
            steps.try_fold(object, |at, step| at.get(step))
        })?;
        (!found.is_null()).then_some(found)
    }
}

impl FromStr for FieldPath {
    type Err = String;

    fn from_str(path: &str) -> Result<Self, String> {
        if path.is_empty() {
            return Err("name a member, as metadata.year".to_owned());
        }
        Ok(Self::new(path))
    }
}

/// A field of the collection, and where its value is in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FieldSpec {
    pub(crate) name: String,
    pub(crate) path: FieldPath,
    pub(crate) column_type: ColumnType,
}

const TYPES: [(&str, ScalarType); 7] = [
    ("bool", ScalarType::Bool),
    ("int", ScalarType::I64),
    ("uint", ScalarType::U64),
    ("float", ScalarType::F64),
    ("text", ScalarType::Text),
    ("uuid", ScalarType::Uuid),
    ("timestamp", ScalarType::Timestamp),
];

impl FromStr for FieldSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((place, type_name)) = text.rsplit_once(':') else {
            return Err("its type is missing; write it as year=metadata.year:int".to_owned());
        };
        let (name, path) = place.split_once('=').unwrap_or((place, place));
        if name.is_empty() || path.is_empty() {
            return Err("a name is missing; write it as year=metadata.year:int".to_owned());
        }
        if RESERVED
            .iter()
            .any(|reserved| name.eq_ignore_ascii_case(reserved))
        {
            return Err(format!(
                "every collection has {}; give the field another name, as doc_{name}={path}:{type_name}",
                list(RESERVED)
            ));
        }
        Ok(Self {
            name: name.to_owned(),
            path: FieldPath::new(path),
            column_type: column_type(type_name)?,
        })
    }
}

fn column_type(name: &str) -> Result<ColumnType, String> {
    let element = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'));
    let scalar = element.unwrap_or(name);
    let Some((_, scalar)) = TYPES.iter().find(|(known, _)| *known == scalar) else {
        let known = TYPES.map(|(known, _)| known);
        let hint = match closest(scalar, known) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("the types are {}, and lists as `[text]`", list(known)),
        };
        return Err(format!("there is no type `{scalar}`; {hint}"));
    };
    Ok(match element {
        Some(_) => ColumnType::List(*scalar),
        None => ColumnType::Scalar(*scalar),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Result<FieldSpec, String> {
        text.parse()
    }

    #[test]
    fn names_members_and_types_are_read() {
        let spec = read("year=metadata.year:int").unwrap();
        assert_eq!(
            (spec.name.as_str(), spec.path.as_str()),
            ("year", "metadata.year")
        );
        assert_eq!(spec.column_type, ColumnType::Scalar(ScalarType::I64));
        let spec = read("tags:[text]").unwrap();
        assert_eq!((spec.name.as_str(), spec.path.as_str()), ("tags", "tags"));
        assert_eq!(spec.column_type, ColumnType::List(ScalarType::Text));
        for (name, scalar) in TYPES {
            assert_eq!(column_type(name), Ok(ColumnType::Scalar(scalar)));
        }
    }

    #[test]
    fn mistakes_say_what_to_write() {
        for (text, expected) in [
            ("year", "its type is missing"),
            (":int", "a name is missing"),
            ("year=:int", "a name is missing"),
            ("year:itn", "did you mean `int`?"),
            ("year:decimal", "the types are `bool`, `int`"),
            ("title:text", "as doc_title=title:text"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn a_path_finds_members_within_members() {
        let object = json!({"a": {"b": 1, "n": null}, "x.y": 2});
        let find = |path: &str| FieldPath::new(path).find(&object).cloned();
        assert_eq!(find("a.b"), Some(json!(1)));
        assert_eq!(find("x.y"), Some(json!(2)));
        assert_eq!(find("a.n"), None);
        assert_eq!(find("a.b.c"), None);
    }
}
