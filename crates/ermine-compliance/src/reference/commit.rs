//! Writing: one operation after the other, on a copy that is kept if all succeed.

use std::collections::BTreeMap;
use std::sync::Arc;

use ermine_core::{
    DeleteMode, Deletion, Error, ErrorKind, Id, Op, Put, PutMode, Read, Result, Schema, Scope,
    ScopedId, VectorFieldSchema, VectorWrite,
};
use ermine_text::ForwardRecord;

use super::filter::{Values, check};
use super::state::{Collection, State, Stored, StoredVector};

impl State {
    pub(super) fn apply(&mut self, op: &Op) -> Result<()> {
        match op {
            Op::Put(put) => self.collection_mut(&put.schema)?.put(put),
            Op::Delete {
                schema,
                tenant,
                id,
                mode,
            } => {
                let collection = self.collection_mut(schema)?;
                collection.delete(&(tenant.clone(), id.clone()), *mode);
                Ok(())
            }
            Op::DeleteWhere {
                schema,
                tenant,
                filter,
                mode,
            } => {
                let collection = self.collection_mut(schema)?;
                let passing = |id, columns| {
                    Values {
                        schema,
                        id,
                        columns,
                    }
                    .pass(filter)
                };
                check(schema, filter)?;
                let scope = Scope::live(Read::scope_of(tenant));
                let mut doomed = Vec::new();
                for (key, stored) in collection.in_scope(&scope) {
                    if passing(Some(&key.1), &stored.columns)? {
                        doomed.push(key.clone());
                    }
                }
                for key in doomed {
                    collection.delete(&key, *mode);
                }
                Ok(())
            }
            Op::PutVectors {
                schema,
                tenant,
                id,
                vectors,
            } => {
                let collection = self.collection_mut(schema)?;
                let key = (tenant.clone(), id.clone());
                if let Some(stored) = collection.documents.get_mut(&key) {
                    let new = vectors_after(schema, id, vectors, Some(stored))?;
                    Arc::make_mut(stored).vectors = new;
                }
                Ok(())
            }
            other => self.events.apply(other),
        }
    }
}

impl Collection {
    fn put(&mut self, put: &Put) -> Result<()> {
        let key = (put.tenant.clone(), put.id.clone());
        let before = self.documents.get(&key);
        let refuse = |kind, problem: &str| {
            Err(Error::new(
                kind,
                format!("document {} of `{}` {problem}", put.id, put.schema),
            ))
        };
        match (put.mode, before) {
            (PutMode::Store, _) | (PutMode::Insert, None) => {}
            (PutMode::Update, Some(stored)) if !stored.deleted => {}
            (PutMode::Insert, Some(_)) => {
                return refuse(
                    ErrorKind::AlreadyExists,
                    "exists already; store it to replace it",
                );
            }
            (PutMode::Update, _) => {
                return refuse(ErrorKind::Missing, "does not exist; store it to create it");
            }
            (other, _) => {
                return refuse(
                    ErrorKind::Unsupported,
                    &format!("cannot be written by {other:?}"),
                );
            }
        }
        let before = before.map(|stored| &**stored);
        let vectors = vectors_after(&put.schema, &put.id, &put.vectors, before)?;
        let columns = put.schema.columns().iter().zip(&put.columns);
        let columns = columns
            .filter_map(|(column, value)| Some((column.name().to_owned(), value.clone()?)))
            .collect();
        let text = put
            .text
            .as_ref()
            .map(|text| ForwardRecord::decode(&text.bytes))
            .transpose()
            .map_err(|problem| {
                Error::new(
                    ErrorKind::Corrupt,
                    format!(
                        "the analysed text of document {} of `{}`",
                        put.id, put.schema
                    ),
                )
                .with_source(problem)
            })?;
        let stored = Stored {
            deleted: false,
            body: put.body.clone(),
            columns,
            vectors,
            text,
        };
        self.documents.insert(key, Arc::new(stored));
        Ok(())
    }

    /// Deletes a document; of a missing one, nothing happens.
    fn delete(&mut self, key: &ScopedId, mode: DeleteMode) {
        let hides = self.deletion() == Deletion::Soft && mode == DeleteMode::Declared;
        if !hides {
            self.documents.remove(key);
        } else if let Some(stored) = self.documents.get_mut(key) {
            Arc::make_mut(stored).deleted = true;
        }
    }
}

/// What the vector fields of a document hold after a write, by name.
fn vectors_after(
    schema: &Schema,
    id: &Id,
    writes: &[VectorWrite],
    before: Option<&Stored>,
) -> Result<BTreeMap<String, StoredVector>> {
    let fields = schema.vectors().iter().zip(writes);
    fields
        .map(|(field, write)| {
            let name = field.name();
            let old = before.and_then(|stored| stored.vectors.get(name)).cloned();
            let new = written(schema, id, field, write, old.unwrap_or_default())?;
            Ok((name.to_owned(), new))
        })
        .collect()
}

/// What a vector field holds after a write.
fn written(
    schema: &Schema,
    id: &Id,
    field: &VectorFieldSchema,
    write: &VectorWrite,
    old: StoredVector,
) -> Result<StoredVector> {
    Ok(match write {
        VectorWrite::Keep => old,
        VectorWrite::KeepIfHash(hash)
            if old.hash.as_ref() == Some(hash) && !old.is_damaged(field) =>
        {
            old
        }
        VectorWrite::KeepIfHash(_) => {
            return Err(Error::new(
                ErrorKind::KeptVectorChanged,
                format!(
                    "document {id} of `{schema}`, field `{}`: the vector to be kept was replaced by another writer; read and write again",
                    field.name()
                ),
            ));
        }
        VectorWrite::Set { vector, hash } => StoredVector {
            bytes: Some(vector.to_le_bytes()),
            hash: hash.clone(),
        },
        VectorWrite::Clear { hash } => StoredVector {
            bytes: None,
            hash: hash.clone(),
        },
    })
}
