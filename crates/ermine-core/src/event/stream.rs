//! The ids of streams.

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{DocumentId, Error, ErrorKind, Id, Result};

/// A stream's id within its tenant: a UUID or a text that is not empty.
///
/// The UUID and the text that looks like it are two streams.
///
/// ```
/// use ermine_core::{Id, StreamId};
///
/// let stream = StreamId::text("docs/index.md")?;
/// assert_eq!(Id::from(stream), Id::Text("docs/index.md".into()));
/// assert!(StreamId::text("").is_err());
/// # Ok::<(), ermine_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "Id", into = "Id")]
pub struct StreamId(Kind);

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Kind {
    Uuid(Uuid),
    Text(String),
}

impl StreamId {
    /// The stream named `name`; refused when it is empty or holds U+0000.
    ///
    /// # Errors
    ///
    /// `InvalidValue`.
    pub fn text(name: impl Into<String>) -> Result<Self> {
        let name = name.into();
        if name.is_empty() || name.contains('\0') {
            return Err(Error::new(
                ErrorKind::InvalidValue,
                format!("{name:?} names no stream: a name is not empty and has no U+0000"),
            ));
        }
        Ok(Self(Kind::Text(name)))
    }

    /// The id as that of a document: of the one that the stream adds up to.
    ///
    /// ```
    /// use ermine_core::StreamId;
    ///
    /// let id: String = StreamId::text("docs/index.md")?.document_id()?;
    /// assert_eq!(id, "docs/index.md");
    /// # Ok::<(), ermine_core::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `TypeMismatch` where the type's ids are of another kind.
    pub fn document_id<I: DocumentId>(&self) -> Result<I> {
        let id = Id::from(self.clone());
        let kind = id.id_type();
        I::from_id(id).ok_or_else(|| {
            Error::new(
                ErrorKind::TypeMismatch,
                format!(
                    "stream {self} is named by {kind}, and an id by {} is wanted",
                    I::TYPE
                ),
            )
        })
    }
}

impl From<Uuid> for StreamId {
    fn from(id: Uuid) -> Self {
        Self(Kind::Uuid(id))
    }
}

impl TryFrom<Id> for StreamId {
    type Error = Error;
    fn try_from(id: Id) -> Result<Self> {
        match id {
            Id::Uuid(id) => Ok(id.into()),
            Id::Text(name) => Self::text(name),
            other => Err(Error::new(
                ErrorKind::TypeMismatch,
                format!(
                    "{other} is {}, and a stream's id is a uuid or text",
                    other.id_type()
                ),
            )),
        }
    }
}

impl From<StreamId> for Id {
    fn from(stream: StreamId) -> Self {
        match stream.0 {
            Kind::Uuid(id) => Self::Uuid(id),
            Kind::Text(name) => Self::Text(name),
        }
    }
}

impl fmt::Display for StreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Uuid(id) => id.fmt(f),
            Kind::Text(name) => name.fmt(f),
        }
    }
}
