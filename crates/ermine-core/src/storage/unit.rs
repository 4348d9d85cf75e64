//! A unit of work: what is written together.

use std::sync::Arc;

use super::event::{Advance, Append, Mask, Parked, ParkedKey};
use crate::search::check_scope;
use crate::{
    Error, ErrorKind, Expr, Id, Read, Result, Schema, Scope, StreamId, TenantId, Token, Value,
    Vector,
};

/// Operations that are written in order, all or none.
#[derive(Debug, Clone, Default)]
pub struct Unit {
    /// The operations.
    pub ops: Vec<Op>,
}

impl Unit {
    /// Refuses operations that do not fit their types: tenancy, filters, id and
    /// value types, vectors (rules D5, F2, V4, V6, T10).
    ///
    /// # Errors
    ///
    /// Those of [`Op::check`], of the first operation that has any.
    pub fn check(&self) -> Result<()> {
        self.ops.iter().try_for_each(Op::check)
    }
}

impl Op {
    /// Whether only a store that keeps events knows it.
    pub(crate) fn is_of_events(&self) -> bool {
        !matches!(
            self,
            Self::Put(_) | Self::Delete { .. } | Self::DeleteWhere { .. } | Self::PutVectors { .. }
        )
    }

    /// Refuses what does not fit the type; the message names the document and the field.
    ///
    /// # Errors
    ///
    /// `Tenancy`, `TypeMismatch`, `InvalidValue`, `WrongDimensions`, `InvalidVector`; those of [`Expr::check`].
    pub fn check(&self) -> Result<()> {
        let tenancy = |schema, tenant| check_scope(schema, &Scope::live(Read::scope_of(tenant)));
        match self {
            Self::Put(put) => {
                tenancy(&put.schema, &put.tenant)?;
                put.check()
            }
            Self::Delete {
                schema, tenant, id, ..
            } => {
                tenancy(schema, tenant)?;
                check_id(schema, id)
            }
            Self::DeleteWhere {
                schema,
                tenant,
                filter,
                ..
            } => {
                tenancy(schema, tenant)?;
                filter.check(schema)
            }
            Self::PutVectors {
                schema,
                tenant,
                id,
                vectors,
            } => {
                tenancy(schema, tenant)?;
                check_id(schema, id)?;
                check_vectors(schema, id, vectors)
            }
            Self::Append(append) => append.check(),
            Self::Mask(mask) => mask.check(),
            Self::Archive { .. }
            | Self::Tombstone { .. }
            | Self::Advance(_)
            | Self::Park(_)
            | Self::Unpark(_) => Ok(()),
        }
    }
}

/// Refuses an id of another type than the schema's.
pub(super) fn check_id_type(schema: &Schema, id: &Id) -> Result<()> {
    if id.id_type() == schema.id_type() {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::TypeMismatch,
        format!(
            "id {id} of `{schema}` is {}, and its ids are {}",
            id.id_type(),
            schema.id_type()
        ),
    ))
}

/// Refuses an id of another type than the schema's, and a text id with U+0000.
fn check_id(schema: &Schema, id: &Id) -> Result<()> {
    check_id_type(schema, id)?;
    match id {
        Id::Text(text) if text.contains('\0') => Err(Error::new(
            ErrorKind::InvalidValue,
            format!("id {text:?} of `{schema}` holds U+0000, which is not stored"),
        )),
        _ => Ok(()),
    }
}

impl Put {
    fn check(&self) -> Result<()> {
        check_id(&self.schema, &self.id)?;
        self.check_shape()?;
        let schema = &self.schema;
        for (column, value) in schema.columns().iter().zip(&self.columns) {
            let Some(value) = value else { continue };
            let what = || {
                format!(
                    "document {} of `{schema}`, field `{}`",
                    self.id,
                    column.name()
                )
            };
            if !column.column_type().accepts(value) {
                return Err(Error::new(
                    ErrorKind::TypeMismatch,
                    format!(
                        "{}: {value} cannot be stored as {}",
                        what(),
                        column.column_type()
                    ),
                ));
            }
            if holds_nul(value) {
                return Err(Error::new(
                    ErrorKind::InvalidValue,
                    format!("{}: the text holds U+0000, which is not stored", what()),
                ));
            }
        }
        check_vectors(schema, &self.id, &self.vectors)
    }

    /// Every list is as long as the schema's: a shorter one would leave old values unsaid.
    fn check_shape(&self) -> Result<()> {
        let schema = &self.schema;
        let given = [
            self.columns.len(),
            self.vectors.len(),
            usize::from(self.text.is_some()),
        ];
        let declared = [
            schema.columns().len(),
            schema.vectors().len(),
            usize::from(!schema.text().is_empty()),
        ];
        if given == declared {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::InvalidValue,
            format!(
                "document {} of `{schema}` comes with {given:?} columns, vectors and analysed texts, and its type has {declared:?}",
                self.id
            ),
        ))
    }
}

/// Refuses a list of another length than the schema's, and vectors that do not fit.
fn check_vectors(schema: &Schema, id: &Id, vectors: &[VectorWrite]) -> Result<()> {
    if vectors.len() != schema.vectors().len() {
        return Err(Error::new(
            ErrorKind::InvalidValue,
            format!(
                "document {id} of `{schema}` comes with {} vectors, and its type has {}",
                vectors.len(),
                schema.vectors().len()
            ),
        ));
    }
    for (field, write) in schema.vectors().iter().zip(vectors) {
        if let VectorWrite::Set { vector, .. } = write {
            let what = format_args!("document {id} of `{schema}`, field `{}`", field.name());
            vector.check(field.dimensions(), field.metric(), what)?;
        }
    }
    Ok(())
}

fn holds_nul(value: &Value) -> bool {
    match value {
        Value::Text(text) => text.contains('\0'),
        Value::List(items) => items.iter().any(holds_nul),
        _ => false,
    }
}

/// One operation.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Op {
    /// Stores a document.
    Put(Box<Put>),
    /// Deletes a document by id; of a missing one, nothing happens.
    Delete {
        /// The type.
        schema: Arc<Schema>,
        /// Whose it is; `None` for a type without tenants.
        tenant: Option<TenantId>,
        /// Which.
        id: Id,
        /// How.
        mode: DeleteMode,
    },
    /// Deletes the live documents that pass a filter.
    DeleteWhere {
        /// The type.
        schema: Arc<Schema>,
        /// Whose they are; `None` for a type without tenants.
        tenant: Option<TenantId>,
        /// Which; `true` for all.
        filter: Expr,
        /// How.
        mode: DeleteMode,
    },
    /// Writes the vectors of a document that is stored, hidden or not, and nothing
    /// else of it; of a missing one, nothing happens.
    PutVectors {
        /// The type.
        schema: Arc<Schema>,
        /// Whose it is; `None` for a type without tenants.
        tenant: Option<TenantId>,
        /// Which.
        id: Id,
        /// What happens to each vector field.
        vectors: Vec<VectorWrite>,
    },
    /// Appends events to a stream.
    Append(Append),
    /// Takes a stream out of what readers of all events see, and closes it to
    /// appends; of a missing one, nothing happens.
    Archive {
        /// Whose stream; `None` for the streams of no tenant.
        tenant: Option<TenantId>,
        /// The stream.
        stream: StreamId,
    },
    /// Removes every event of a stream for good. Its name stays taken, archived and
    /// at its version; of a missing one, nothing happens.
    Tombstone {
        /// Whose stream; `None` for the streams of no tenant.
        tenant: Option<TenantId>,
        /// The stream.
        stream: StreamId,
    },
    /// Replaces the data of events; fails with `Missing` where a version is not there.
    Mask(Mask),
    /// Guards the unit by a shard's progress, and moves it.
    Advance(Advance),
    /// Sets an event aside; one that is set aside already gets the new reason.
    Park(Parked),
    /// Forgets an event that was set aside; of a missing one, nothing happens.
    Unpark(ParkedKey),
}

/// A document ready to be written, every list in its schema's order.
#[derive(Debug, Clone)]
pub struct Put {
    /// The type.
    pub schema: Arc<Schema>,
    /// Whose it is; `None` for a type without tenants.
    pub tenant: Option<TenantId>,
    /// The id.
    pub id: Id,
    /// What happens where the id exists, or does not.
    pub mode: PutMode,
    /// The JSON text, without vectors.
    pub body: String,
    /// The value of each indexed field.
    pub columns: Vec<Option<Value>>,
    /// What happens to each vector field.
    pub vectors: Vec<VectorWrite>,
    /// The analysed text; `None` for a type without text fields.
    pub text: Option<ForwardRecord>,
}

/// What a put does where the id exists, or does not (rule D2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PutMode {
    /// Replaces or creates; a soft-deleted document comes back.
    Store,
    /// Fails with `AlreadyExists`; a soft-deleted document exists.
    Insert,
    /// Fails with `Missing`; a soft-deleted document is missing.
    Update,
}

/// How a delete deletes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeleteMode {
    /// As the type declares.
    Declared,
    /// Removes the document whatever the type declares.
    Hard,
}

/// What happens to a vector field of a stored document.
#[derive(Debug, Clone, PartialEq)]
pub enum VectorWrite {
    /// Keep what is stored, if anything.
    Keep,
    /// Keep what is stored, which was made from the text of this hash; where
    /// that is no longer so the unit fails with `KeptVectorChanged` and is
    /// planned again (rule D11).
    KeepIfHash(String),
    /// Store this vector.
    Set {
        /// The vector, already checked.
        vector: Vector,
        /// The hash of the text it was made from, where it was.
        hash: Option<String>,
    },
    /// Store none. A hash says that this text cannot be represented by the model.
    Clear {
        /// The hash of that text.
        hash: Option<String>,
    },
}

/// The analysed text of a document. The runtime makes it with the analyser of
/// the type's language; the layout of the bytes is `ermine-text`'s.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForwardRecord {
    /// How many terms the document has, over all its text fields (rule T12).
    pub len: u32,
    /// The terms with counts and positions, encoded.
    pub bytes: Vec<u8>,
}

/// A unit that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Committed {
    /// What a later read shows to be sure to see it.
    pub token: Token,
}
