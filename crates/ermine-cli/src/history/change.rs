//! The events.

use std::fmt;
use std::str::FromStr;

use ermine_core::{Error, ErrorKind, Event, EventType, Result};
use serde_json::{Map, Value as Json};

use crate::schema::field;

/// The types of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A text begins.
    Recorded,
    /// It has another body.
    Revised,
    /// It has another title, or its file another name.
    Renamed,
    /// It has other tags.
    Tagged,
    /// It is gone.
    Forgotten,
}

/// What an event can change.
pub(crate) mod member {
    pub(crate) const TAGS: &str = "tags";
}

const NAMES: [&str; 5] = ["Recorded", "Revised", "Renamed", "Tagged", "Forgotten"];

const KINDS: [Kind; 5] = [
    Kind::Recorded,
    Kind::Revised,
    Kind::Renamed,
    Kind::Tagged,
    Kind::Forgotten,
];

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Recorded => "Recorded",
            Self::Revised => "Revised",
            Self::Renamed => "Renamed",
            Self::Tagged => "Tagged",
            Self::Forgotten => "Forgotten",
        }
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let kind = KINDS.into_iter().find(|kind| kind.name() == name);
        kind.ok_or_else(|| {
            format!(
                "{name:?} is no type of event; it is Recorded, Revised, Renamed, Tagged or Forgotten"
            )
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An event: its type, and the fields that it changes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Change {
    pub(crate) kind: Kind,
    pub(crate) fields: Map<String, Json>,
}

impl Change {
    pub(crate) const RECORDED: EventType<Self> =
        EventType::new("Recorded", |data| Self::read(Kind::Recorded, data));
    pub(crate) const REVISED: EventType<Self> =
        EventType::new("Revised", |data| Self::read(Kind::Revised, data));
    pub(crate) const RENAMED: EventType<Self> =
        EventType::new("Renamed", |data| Self::read(Kind::Renamed, data));
    pub(crate) const TAGGED: EventType<Self> =
        EventType::new("Tagged", |data| Self::read(Kind::Tagged, data));
    pub(crate) const FORGOTTEN: EventType<Self> =
        EventType::new("Forgotten", |data| Self::read(Kind::Forgotten, data));

    /// An event that changes nothing yet.
    pub(crate) fn of(kind: Kind) -> Self {
        Self {
            kind,
            fields: Map::new(),
        }
    }

    /// The same, with a field that has another value.
    pub(crate) fn with(mut self, field: &str, value: impl Into<Json>) -> Self {
        self.fields.insert(field.to_owned(), value.into());
        self
    }

    /// The same, with what `members` say of the fields, which are taken out of them.
    ///
    /// # Errors
    ///
    /// Which field has a value of another type, in words.
    pub(crate) fn taken_from(
        mut self,
        members: &mut Map<String, Json>,
    ) -> std::result::Result<Self, String> {
        for name in [field::TITLE, field::BODY, field::FILE, member::TAGS] {
            let Some(value) = members.remove(name) else {
                continue;
            };
            let (fits, wanted) = match (name, &value) {
                (member::TAGS, Json::Array(tags)) => {
                    (tags.iter().all(Json::is_string), "a list of texts")
                }
                (member::TAGS, _) => (false, "a list of texts"),
                (_, value) => (value.is_string(), "text"),
            };
            if !fits {
                return Err(format!("`{name}` is not {wanted}"));
            }
            self.fields.insert(name.to_owned(), value);
        }
        Ok(self)
    }

    fn read(kind: Kind, data: &str) -> Result<Self> {
        let fields = serde_json::from_str(data).map_err(|cause| {
            Error::new(ErrorKind::Body, "the event's data is no JSON object").with_source(cause)
        })?;
        Ok(Self { kind, fields })
    }
}

impl Event for Change {
    fn event_types() -> &'static [&'static str] {
        &NAMES
    }

    fn event_type(&self) -> &'static str {
        self.kind.name()
    }

    fn to_data(&self) -> Result<String> {
        Ok(Json::Object(self.fields.clone()).to_string())
    }

    fn from_data(event_type: &str, data: &str) -> Result<Self> {
        let kind = event_type.parse();
        let kind = kind.map_err(|problem: String| Error::new(ErrorKind::Body, problem))?;
        Self::read(kind, data)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_type_is_read_by_its_name() {
        for (name, kind) in NAMES.into_iter().zip(KINDS) {
            assert_eq!(name.parse(), Ok(kind));
            assert_eq!(kind.to_string(), name);
        }
        assert!("Deleted".parse::<Kind>().unwrap_err().contains("Forgotten"));
    }

    #[test]
    fn fields_are_taken_and_others_left() {
        let Json::Object(mut members) = json!({"title": "A", "tags": ["x"], "by": "me"}) else {
            panic!()
        };
        let change = Change::of(Kind::Recorded).taken_from(&mut members).unwrap();
        assert_eq!(change.to_data().unwrap(), r#"{"tags":["x"],"title":"A"}"#);
        assert_eq!(members.keys().collect::<Vec<_>>(), ["by"]);
        for wrong in [
            json!({"title": 1}),
            json!({"tags": "x"}),
            json!({"tags": [1]}),
        ] {
            let Json::Object(mut members) = wrong else {
                panic!()
            };
            assert!(Change::of(Kind::Tagged).taken_from(&mut members).is_err());
        }
    }
}
