//! The documents, each of which is what its stream adds up to.

use std::marker::PhantomData;

use ermine_core::{
    Aggregate, ColumnType, Content, Document, DynamicRecord, Envelope, Id, IdType, Metric, Record,
    RecordParts, Result, ScalarType, Schema, StoredRecord,
};
use serde_json::Value as Json;

use super::{COLLECTION, Change, Kind, member};
use crate::schema::{DIMENSIONS, field};

/// How the texts are analysed, which is part of their type.
pub(super) trait Analysed: Send + Sync + 'static {
    const LANGUAGE: &'static str;
}

pub(super) struct English;
pub(super) struct Unstemmed;

impl Analysed for English {
    const LANGUAGE: &'static str = "english";
}

impl Analysed for Unstemmed {
    const LANGUAGE: &'static str = "none";
}

/// A text: the events of its stream, folded.
pub(super) struct Text<L> {
    record: DynamicRecord,
    language: PhantomData<fn() -> L>,
}

impl<L> Text<L> {
    fn of(record: DynamicRecord) -> Self {
        Self {
            record,
            language: PhantomData,
        }
    }

    /// What is embedded: title, body and tags, a line each.
    pub(super) fn content(&self) -> Content {
        let text = |name: &str| self.record.get(name).and_then(Json::as_str);
        let tags = self.record.get(member::TAGS).and_then(Json::as_array);
        let tags = tags.into_iter().flatten().filter_map(Json::as_str);
        let tags: Vec<&str> = tags.collect();
        let [title, body] = [field::TITLE, field::BODY].map(|name| text(name).unwrap_or_default());
        let whole = format!("{title}\n{body}\n{}", tags.join(" "));
        Content::text(whole.trim())
    }
}

impl<L: Analysed> Record for Text<L> {
    type Id = String;

    fn id(&self) -> String {
        self.record.id.to_string()
    }

    fn to_parts(&self, schema: &Schema) -> Result<RecordParts> {
        self.record.to_parts(schema)
    }

    fn from_stored(schema: &Schema, stored: StoredRecord) -> Result<Self> {
        DynamicRecord::from_stored(schema, stored).map(Self::of)
    }
}

impl<L: Analysed> Document for Text<L> {
    fn schema() -> Result<Schema> {
        Schema::builder(COLLECTION, field::ID, IdType::Text)
            .column(field::FILE, ColumnType::Scalar(ScalarType::Text))
            .column(member::TAGS, ColumnType::List(ScalarType::Text))
            .text(field::TITLE, 3.0)
            .text(field::BODY, 1.0)
            .language(L::LANGUAGE)
            .vector(field::EMBEDDING, DIMENSIONS, Metric::Cosine)
            .build()
    }
}

impl<L: Analysed> Aggregate for Text<L> {
    type Event = Change;

    fn fold(state: Option<Self>, event: &Envelope<Change>) -> Result<Option<Self>> {
        let mut text = match (event.data.kind, state) {
            (Kind::Forgotten, _) => return Ok(None),
            (Kind::Recorded, _) => {
                Self::of(DynamicRecord::new(Id::Text(event.stream.document_id()?)))
            }
            // What was never recorded, or is forgotten, has nothing to change.
            (_, None) => return Ok(None),
            (_, Some(text)) => text,
        };
        for (name, value) in &event.data.fields {
            text.record.fields.insert(name.clone(), value.clone());
        }
        Ok(Some(text))
    }
}
