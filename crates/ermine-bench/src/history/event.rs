//! The events of a document's history, and what they add up to.

use ermine::{Aggregate, Document, Embedding, Envelope, Event};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Event, Serialize, Deserialize)]
pub(super) enum Change {
    Recorded {
        title: String,
        body: String,
        tags: Vec<String>,
    },
    Revised {
        body: String,
    },
    Renamed {
        title: String,
    },
    Tagged {
        tags: Vec<String>,
    },
    Forgotten,
}

/// A document as it is now: the inline snapshot of its stream.
#[derive(Debug, Clone, PartialEq, Document, Serialize, Deserialize)]
#[document(name = "history_current", language = "none")]
pub(super) struct Current {
    #[document(id)]
    pub(super) path: String,
    #[document(text)]
    pub(super) title: String,
    #[document(text)]
    pub(super) body: String,
    pub(super) tags: Vec<String>,
    pub(super) version: u64,
    pub(super) at: String,
}

/// What is searched by meaning: the vector projection's own document.
#[derive(Debug, Clone, Document, Serialize, Deserialize)]
#[document(name = "history_indexed", language = "none")]
pub(super) struct Indexed {
    #[document(id)]
    pub(super) path: String,
    #[document(text)]
    pub(super) text: String,
    pub(super) version: u64,
    pub(super) at: String,
    #[document(vector(dimensions = 256))]
    pub(super) embedding: Embedding,
}

impl Current {
    /// What is embedded: tags are not.
    pub(super) fn content(&self) -> String {
        format!("{}\n{}", self.title, self.body).trim().to_owned()
    }
}

impl Aggregate for Current {
    type Event = Change;

    fn fold(state: Option<Self>, event: &Envelope<Change>) -> ermine::Result<Option<Self>> {
        let mut current = match (state, &event.data) {
            (_, Change::Forgotten) => return Ok(None),
            (Some(current), _) => current,
            (None, _) => Self {
                path: event.stream.document_id()?,
                title: String::new(),
                body: String::new(),
                tags: Vec::new(),
                version: 0,
                at: String::new(),
            },
        };
        match event.data.clone() {
            Change::Recorded { title, body, tags } => {
                (current.title, current.body, current.tags) = (title, body, tags);
            }
            Change::Revised { body } => current.body = body,
            Change::Renamed { title } => current.title = title,
            Change::Tagged { tags } => current.tags = tags,
            Change::Forgotten => {}
        }
        current.version = event.version;
        current.at = event.at.to_string();
        Ok(Some(current))
    }
}
