//! Counting the documents and vectors of a collection, of any type.

use std::sync::Arc;

use ermine_core::{
    Answer, Declaration, DeletedScope, Deletion, Engine, Include, Read, Schema, SchemaMode, Scope,
    Storage, Target, Tenancy, TenantScope,
};

use crate::failure::Failure;
use crate::wait::wait;

/// How many there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Counts {
    /// Live documents.
    pub(super) documents: u64,
    /// Soft-deleted ones, where the type has them.
    pub(super) deleted: Option<u64>,
    /// For each vector field, over the live documents.
    pub(super) vectors: Vec<Vectors>,
}

/// The vectors of a field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Vectors {
    pub(super) present: u64,
    pub(super) absent: u64,
}

impl Counts {
    pub(super) fn of(engine: &Engine, declaration: &Declaration) -> Result<Self, Failure> {
        // A store answers for the types it was told of.
        wait(engine.ensure(declaration, SchemaMode::Assert))?;
        let schema = &declaration.schema;
        let collection = Collection { engine, schema };
        let soft = schema.deletion() == Deletion::Soft;
        let deleted = soft
            .then(|| collection.count(DeletedScope::Only))
            .transpose()?;
        let documents = collection.count(DeletedScope::Hidden)?;
        Ok(Self {
            documents,
            deleted,
            vectors: collection.vectors(documents)?,
        })
    }
}

struct Collection<'a> {
    engine: &'a Engine,
    schema: &'a Arc<Schema>,
}

impl Collection<'_> {
    fn target(&self, deleted: DeletedScope) -> Target {
        let tenants = match self.schema.tenancy() {
            Tenancy::Conjoined => TenantScope::All,
            _ => TenantScope::Untenanted,
        };
        Target {
            schema: self.schema.clone(),
            scope: Scope { tenants, deleted },
            filter: None,
        }
    }

    fn counted(&self, read: Read) -> Result<u64, Failure> {
        match wait(self.engine.read(&[read]))?.as_slice() {
            [Answer::Count(count)] => Ok(*count),
            _ => Err(Failure::new(
                "the store gave no count; this is a defect of the store",
            )),
        }
    }

    fn count(&self, deleted: DeletedScope) -> Result<u64, Failure> {
        self.counted(Read::Count {
            target: self.target(deleted),
            include: Include::default(),
        })
    }

    fn vectors(&self, documents: u64) -> Result<Vec<Vectors>, Failure> {
        let of = |field| {
            let present = self.counted(Read::CountVectors {
                target: self.target(DeletedScope::Hidden),
                field,
            })?;
            let absent = documents.saturating_sub(present);
            Ok(Vectors { present, absent })
        };
        (0..self.schema.vectors().len()).map(of).collect()
    }
}
