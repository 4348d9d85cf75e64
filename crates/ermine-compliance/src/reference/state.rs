//! What the reference store holds.

use std::collections::BTreeMap;
use std::sync::Arc;

use ermine_core::{
    Declaration, DeletedScope, Deletion, Embedding, Error, ErrorKind, Id, Include, Result, Schema,
    Scope, ScopedId, StoredRecord, TenantId, TenantScope, Value, Vector, VectorFieldSchema,
};
use ermine_text::ForwardRecord;

use super::ensure::differences;
use super::events::Events;

/// Everything that is stored.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    /// How many units were committed.
    pub(super) commits: u64,
    pub(super) collections: BTreeMap<String, Collection>,
    pub(super) events: Events,
}

/// The documents of one type, in the order of tenant and id.
#[derive(Debug, Clone)]
pub(super) struct Collection {
    pub(super) declaration: Declaration,
    pub(super) documents: BTreeMap<ScopedId, Arc<Stored>>,
}

/// One document. Fields go by name, since two declarations may order them differently.
#[derive(Debug, Clone)]
pub(super) struct Stored {
    pub(super) deleted: bool,
    pub(super) body: String,
    /// The indexed fields that are present.
    pub(super) columns: BTreeMap<String, Value>,
    pub(super) vectors: BTreeMap<String, StoredVector>,
    pub(super) text: Option<ForwardRecord>,
}

/// What is stored in a vector field.
#[derive(Debug, Clone, Default)]
pub(super) struct StoredVector {
    /// The elements as little-endian `f32`, or whatever somebody else put there.
    pub(super) bytes: Option<Vec<u8>>,
    pub(super) hash: Option<String>,
}

impl State {
    /// The collection of a type, which must have been declared as it is used.
    pub(super) fn collection(&self, schema: &Schema) -> Result<&Collection> {
        let name = schema.name();
        let collection = self.collections.get(name).ok_or_else(|| unknown(name))?;
        differences(collection.schema(), schema)?;
        Ok(collection)
    }

    pub(super) fn collection_mut(&mut self, schema: &Schema) -> Result<&mut Collection> {
        let collection = self.named_mut(schema.name())?;
        differences(collection.schema(), schema)?;
        Ok(collection)
    }

    pub(super) fn named_mut(&mut self, name: &str) -> Result<&mut Collection> {
        self.collections.get_mut(name).ok_or_else(|| unknown(name))
    }
}

fn unknown(name: &str) -> Error {
    Error::new(
        ErrorKind::UnknownCollection,
        format!("the store has no document type `{name}`; declare it when opening"),
    )
}

impl Collection {
    fn schema(&self) -> &Schema {
        &self.declaration.schema
    }

    pub(super) fn deletion(&self) -> Deletion {
        self.schema().deletion()
    }

    /// The documents of a scope's tenants, whether live or not.
    pub(super) fn of_tenants<'a>(
        &'a self,
        tenants: &'a TenantScope,
    ) -> impl Iterator<Item = (&'a ScopedId, &'a Stored)> {
        self.documents
            .iter()
            .map(|(key, stored)| (key, &**stored))
            .filter(move |((tenant, _), _)| match tenants {
                TenantScope::Untenanted => tenant.is_none(),
                TenantScope::One(one) => tenant.as_ref() == Some(one),
                TenantScope::All => true,
            })
    }

    /// The documents of a scope.
    pub(super) fn in_scope<'a>(
        &'a self,
        scope: &'a Scope,
    ) -> impl Iterator<Item = (&'a ScopedId, &'a Stored)> {
        self.of_tenants(&scope.tenants)
            .filter(|(_, stored)| match scope.deleted {
                DeletedScope::Hidden => !stored.deleted,
                DeletedScope::Only => stored.deleted,
                DeletedScope::Included => true,
            })
    }

    pub(super) fn stored_mut(&mut self, tenant: Option<&TenantId>, id: &Id) -> Result<&mut Stored> {
        let missing = format!("`{}` has no document {id}", self.schema());
        self.documents
            .get_mut(&(tenant.cloned(), id.clone()))
            .map(Arc::make_mut)
            .ok_or_else(|| Error::new(ErrorKind::Missing, missing))
    }
}

impl StoredVector {
    /// Whether what is stored is no vector of the field.
    pub(super) fn is_damaged(&self, field: &VectorFieldSchema) -> bool {
        let sound =
            |bytes: &Vec<u8>| Vector::from_stored(bytes, field.dimensions(), field.metric());
        self.bytes
            .as_ref()
            .is_some_and(|bytes| sound(bytes).is_none())
    }
}

impl Stored {
    /// What is stored of a vector field, whatever it is.
    pub(super) fn vector(&self, field: &VectorFieldSchema) -> Option<&[u8]> {
        self.vectors.get(field.name())?.bytes.as_deref()
    }

    /// The document as it is returned, its vectors in the order of `schema`.
    pub(super) fn record(
        &self,
        schema: &Schema,
        (tenant, id): &ScopedId,
        include: &Include,
    ) -> Result<StoredRecord> {
        let embedding = |field| match (include.vectors, self.vector(field)) {
            (false, _) => Ok(Embedding::NotLoaded),
            (true, None) => Ok(Embedding::Absent),
            (true, Some(bytes)) => loaded(schema, id, field, bytes),
        };
        Ok(StoredRecord {
            id: id.clone(),
            tenant: tenant.clone(),
            body: self.body.clone(),
            embeddings: schema
                .vectors()
                .iter()
                .map(embedding)
                .collect::<Result<_>>()?,
        })
    }
}

/// A stored vector, or the error that names the document whose bytes are none (rule V6).
fn loaded(schema: &Schema, id: &Id, field: &VectorFieldSchema, bytes: &[u8]) -> Result<Embedding> {
    let what = format!(
        "the stored vector of document {id} of `{schema}`, field `{}`",
        field.name()
    );
    let corrupt = |problem: String| {
        Error::new(
            ErrorKind::Corrupt,
            format!("{problem}; store the document again with a vector"),
        )
    };
    let expected = field.dimensions() * 4;
    let vector = Vector::from_le_bytes(bytes)
        .filter(|vector| vector.len() == field.dimensions())
        .ok_or_else(|| {
            corrupt(format!(
                "{what} has {} bytes where {expected} are expected",
                bytes.len()
            ))
        })?;
    vector
        .check(field.dimensions(), field.metric(), what)
        .map_err(|problem| corrupt(problem.to_string()))?;
    Ok(Embedding::Present(vector))
}
