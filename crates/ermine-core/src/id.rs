//! Document ids: what they are made of and how they order.

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A document's id within its type and tenant.
///
/// Ids order by value, each type in its own order: uuids by their bytes, text
/// by code point, integers as numbers. One document type has one id type, so
/// the order between variants is never observed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Id {
    /// A UUID.
    Uuid(Uuid),
    /// Text, compared by code point.
    Text(String),
    /// A signed integer.
    I64(i64),
    /// An unsigned integer.
    U64(u64),
}

impl Id {
    /// Which type of id this is.
    pub fn id_type(&self) -> IdType {
        match self {
            Self::Uuid(_) => IdType::Uuid,
            Self::Text(_) => IdType::Text,
            Self::I64(_) => IdType::I64,
            Self::U64(_) => IdType::U64,
        }
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uuid(id) => id.fmt(f),
            Self::Text(id) => id.fmt(f),
            Self::I64(id) => id.fmt(f),
            Self::U64(id) => id.fmt(f),
        }
    }
}

/// The type of a document type's ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IdType {
    /// A UUID.
    Uuid,
    /// Text.
    Text,
    /// A signed 64-bit integer.
    I64,
    /// An unsigned 64-bit integer.
    U64,
}

impl fmt::Display for IdType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Uuid => "uuid",
            Self::Text => "text",
            Self::I64 => "i64",
            Self::U64 => "u64",
        })
    }
}

/// A type that can be a document's id: `Uuid`, `String`, `i64`, `u64`, or a newtype of one of them.
///
/// ```
/// use ermine_core::{DocumentId, Id, IdType};
///
/// #[derive(Clone)]
/// struct Isbn(String);
///
/// impl DocumentId for Isbn {
///     type Kind = String;
///     const TYPE: IdType = IdType::Text;
///     fn to_id(&self) -> Id { Id::Text(self.0.clone()) }
///     fn from_id(id: Id) -> Option<Self> {
///         match id { Id::Text(text) => Some(Self(text)), _ => None }
///     }
/// }
/// assert_eq!(Isbn("978".into()).to_id(), Id::Text("978".into()));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a document's id",
    label = "not the type of an id",
    note = "an id is a `Uuid`, a `String`, an `i64`, a `u64` or a type that implements `DocumentId`"
)]
pub trait DocumentId: Clone + Send + Sync + 'static {
    /// The column kind an id filters as: one of `Uuid`, `String`, `i64`, `u64`.
    type Kind;
    /// The id type it is stored as.
    const TYPE: IdType;
    /// This id as a value.
    fn to_id(&self) -> Id;
    /// The id back from its value; `None` when it is of another type.
    fn from_id(id: Id) -> Option<Self>;
}

macro_rules! document_id {
    ($($rust:ty => $variant:ident),* $(,)?) => {$(
        impl DocumentId for $rust {
            type Kind = $rust;
            const TYPE: IdType = IdType::$variant;
            fn to_id(&self) -> Id {
                Id::$variant(self.clone())
            }
            fn from_id(id: Id) -> Option<Self> {
                match id {
                    Id::$variant(id) => Some(id),
                    _ => None,
                }
            }
        }
        impl From<$rust> for Id {
            fn from(id: $rust) -> Self {
                Self::$variant(id)
            }
        }
    )*};
}

document_id!(Uuid => Uuid, String => Text, i64 => I64, u64 => U64);

impl From<&str> for Id {
    fn from(id: &str) -> Self {
        Self::Text(id.to_owned())
    }
}

/// A new id that sorts after those made before it on this machine (UUID version 7).
pub fn new_id() -> Uuid {
    Uuid::now_v7()
}
