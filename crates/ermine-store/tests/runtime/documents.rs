//! The document types of these tests.

use ermine_core::Embedding;
use ermine_macros::Document;
use serde::{Deserialize, Serialize};

/// A note whose vector is embedded from its text.
#[derive(Debug, Clone, PartialEq, Default, Document, Serialize, Deserialize)]
#[document(
    name = "notes",
    tenancy = "conjoined",
    soft_delete,
    crate = "ermine_core"
)]
pub(crate) struct Note {
    #[document(id)]
    pub(crate) id: i64,
    #[document(index)]
    pub(crate) scope: String,
    #[document(text, weight = 3.0)]
    pub(crate) title: Option<String>,
    #[document(text)]
    pub(crate) body: String,
    #[document(vector(dimensions = 8, metric = "cosine", from = "title, body"))]
    pub(crate) embedding: Embedding,
}

impl Note {
    pub(crate) fn new(id: i64, body: &str) -> Self {
        Self {
            id,
            body: body.to_owned(),
            ..Self::default()
        }
    }

    pub(crate) fn scoped(id: i64, scope: &str, body: &str) -> Self {
        Self {
            scope: scope.to_owned(),
            ..Self::new(id, body)
        }
    }
}

/// A point whose two vectors its caller sets; it has no tenants.
#[derive(Debug, Clone, PartialEq, Default, Document, Serialize, Deserialize)]
#[document(name = "points", crate = "ermine_core")]
pub(crate) struct Point {
    #[document(id)]
    pub(crate) id: String,
    #[document(vector(dimensions = 2, metric = "l2"))]
    pub(crate) place: Embedding,
    #[document(vector(dimensions = 3))]
    pub(crate) colour: Embedding,
}

impl Point {
    pub(crate) fn new(id: &str, place: [f32; 2]) -> Self {
        Self {
            id: id.to_owned(),
            place: place.into(),
            colour: Embedding::Absent,
        }
    }
}

/// A page of one word that is its own type, hard to delete softly.
#[derive(Debug, Clone, PartialEq, Default, Document, Serialize, Deserialize)]
#[document(name = "pages", language = "english", crate = "ermine_core")]
pub(crate) struct Page {
    #[document(id)]
    pub(crate) id: i64,
    #[document(index)]
    pub(crate) note: i64,
    #[document(text)]
    pub(crate) text: String,
    #[document(vector(dimensions = 8, from = "text"))]
    pub(crate) embedding: Embedding,
}

impl Page {
    pub(crate) fn new(id: i64, text: &str) -> Self {
        Self {
            id,
            note: id,
            text: text.to_owned(),
            embedding: Embedding::NotLoaded,
        }
    }
}
