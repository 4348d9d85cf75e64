//! Counting the documents and vectors of a collection, of any type.

use std::collections::BTreeMap;
use std::sync::Arc;

use ermine_core::{
    Answer, Declaration, DeletedScope, Deletion, Engine, Id, Include, MAX_LIMIT, Page, Query, Read,
    Schema, SchemaMode, Scope, Storage, Target, Tenancy, TenantId, TenantScope,
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
        Ok(Self {
            documents: collection.count(DeletedScope::Hidden)?,
            deleted,
            vectors: collection.vectors()?,
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

    fn read(&self, read: Read) -> Result<Answer, Failure> {
        let answers = wait(self.engine.read(&[read]))?;
        let answer = answers.into_iter().next();
        answer
            .ok_or_else(|| Failure::new("the store gave no answer; this is a defect of the store"))
    }

    fn count(&self, deleted: DeletedScope) -> Result<u64, Failure> {
        let read = Read::Count {
            target: self.target(deleted),
            include: Include::default(),
        };
        match self.read(read)? {
            Answer::Count(count) => Ok(count),
            _ => Ok(0),
        }
    }

    fn vectors(&self) -> Result<Vec<Vectors>, Failure> {
        let mut vectors = vec![Vectors::default(); self.schema.vectors().len()];
        if vectors.is_empty() {
            return Ok(vectors);
        }
        let mut offset = 0;
        loop {
            let ids = self.ids(offset)?;
            let read: usize = ids.values().map(Vec::len).sum();
            for (tenant, ids) in ids {
                for (field, vectors) in vectors.iter_mut().enumerate() {
                    let states = self.read(Read::Vectors {
                        schema: self.schema.clone(),
                        tenant: tenant.clone(),
                        field,
                        ids: ids.clone(),
                    })?;
                    let Answer::Vectors(states) = states else {
                        continue;
                    };
                    let present = states
                        .iter()
                        .flatten()
                        .filter(|state| state.present)
                        .count();
                    vectors.present += present as u64;
                    vectors.absent += states.len().saturating_sub(present) as u64;
                }
            }
            if read < MAX_LIMIT {
                return Ok(vectors);
            }
            offset += read;
        }
    }

    /// A page of the live documents' ids, by tenant.
    fn ids(&self, offset: usize) -> Result<BTreeMap<Option<TenantId>, Vec<Id>>, Failure> {
        let read = Read::Query(Query {
            target: self.target(DeletedScope::Hidden),
            order: Vec::new(),
            page: Page {
                limit: MAX_LIMIT,
                offset,
            },
            include: Include::default(),
        });
        let mut ids: BTreeMap<Option<TenantId>, Vec<Id>> = BTreeMap::new();
        if let Answer::Records(records) = self.read(read)? {
            for record in records {
                ids.entry(record.tenant).or_default().push(record.id);
            }
        }
        Ok(ids)
    }
}
