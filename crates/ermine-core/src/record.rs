//! What a collection holds: Rust types taken apart into what a store keeps, and put together again.

mod body;
mod dynamic;
mod fields;

pub use body::{body_of, content_hash, source_text};
pub use dynamic::DynamicRecord;
pub use fields::Fields;

use crate::{DocumentId, Embedding, Error, ErrorKind, Id, Result, Schema, TenantId, Value};

/// A value that a collection stores, whether its type is known at compile time or not.
///
/// `#[derive(Document)]` implements it; [`DynamicRecord`] is the one for schemas
/// made at run time.
pub trait Record: Sized + Send + Sync + 'static {
    /// The type of its id.
    type Id: DocumentId;

    /// Its id.
    fn id(&self) -> Self::Id;

    /// What is stored of it. `schema` is the one its collection was opened with.
    fn to_parts(&self, schema: &Schema) -> Result<RecordParts>;

    /// It, back from what is stored. A body that does not fit the type is an
    /// error that names the id (rule D8).
    fn from_stored(schema: &Schema, stored: StoredRecord) -> Result<Self>;
}

/// A [`Record`] that declares its schema: what `#[derive(Document)]` makes of a struct.
pub trait Document: Record {
    /// The declaration. Computed anew at each call; the runtime keeps it.
    fn schema() -> Result<Schema>;
}

/// A document taken apart, every list in its schema's order.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordParts {
    /// The id.
    pub id: Id,
    /// The document as JSON text, without its vectors.
    pub body: String,
    /// The value of each indexed field.
    pub columns: Vec<Option<Value>>,
    /// The text of each text field.
    pub texts: Vec<Option<String>>,
    /// Each vector field.
    pub vectors: Vec<VectorPart>,
}

/// One vector field of a document taken apart.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorPart {
    /// The document's own value; of no account in a field embedded from text.
    pub embedding: Embedding,
    /// The text the field is embedded from, where it is declared so: see [`source_text`].
    pub source: Option<String>,
}

/// A document as a store returns it.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredRecord {
    /// The id.
    pub id: Id,
    /// Whose it is; `None` for a type without tenants.
    pub tenant: Option<TenantId>,
    /// The JSON text.
    pub body: String,
    /// Each vector field, in the schema's order; [`Embedding::NotLoaded`] where
    /// vectors were not asked for.
    pub embeddings: Vec<Embedding>,
}

impl StoredRecord {
    /// The error of rule D8: the body does not deserialise.
    pub fn body_error(&self, schema: &Schema, cause: serde_json::Error) -> Error {
        Error::new(
            ErrorKind::Body,
            format!(
                "document {} of `{schema}` does not deserialise into its type; repair or delete it, or declare a default for what it lacks",
                self.id
            ),
        )
        .with_source(cause)
    }
}
