//! Writing documents in batches, and leaving alone what has not changed.

use std::collections::HashMap;

use ermine::{Collection, Session, Store};
use ermine_core::{Column, DynamicRecord, Engine, Id};

use crate::failure::Failure;
use crate::schema::field;
use crate::wait::wait;

/// How many documents a batch has at most.
pub(super) const BATCH: usize = 256;

/// How many bytes of text a batch has at most, unless one document has more.
const BATCH_BYTES: usize = 1 << 20;

/// What became of the documents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) new: usize,
    pub(crate) changed: usize,
    pub(crate) unchanged: usize,
    pub(crate) removed: usize,
}

impl Counts {
    /// How many documents were imported.
    pub(crate) fn documents(&self) -> usize {
        self.new + self.changed + self.unchanged
    }
}

/// Collects documents and writes them, a batch to a transaction.
pub(super) struct Writer {
    pub(super) collection: Collection<DynamicRecord>,
    pub(super) session: Session<Engine>,
    batch: Vec<DynamicRecord>,
    bytes: usize,
    pub(super) counts: Counts,
}

impl Writer {
    pub(super) fn new(store: &Store<Engine>, collection: &str) -> Result<Self, Failure> {
        Ok(Self {
            collection: store.dynamic(collection)?,
            session: store.session_without_tenant(),
            batch: Vec::new(),
            bytes: 0,
            counts: Counts::default(),
        })
    }

    /// Adds a document; tells whether the batch is full.
    pub(super) fn add(&mut self, document: DynamicRecord) -> bool {
        let body = document.get(field::BODY).and_then(|body| body.as_str());
        self.bytes += body.map_or(0, str::len);
        self.batch.push(document);
        self.batch.len() >= BATCH || self.bytes >= BATCH_BYTES
    }

    /// Writes what was added and is not stored as it is.
    pub(super) fn flush(&mut self) -> Result<(), Failure> {
        let batch = std::mem::take(&mut self.batch);
        self.bytes = 0;
        let stored = self.stored(&batch)?;
        for document in &batch {
            match stored.get(&document.id) {
                Some(stored) if stored.fields == document.fields => self.counts.unchanged += 1,
                found => {
                    self.session.store_in(&self.collection, document);
                    match found {
                        Some(_) => self.counts.changed += 1,
                        None => self.counts.new += 1,
                    }
                }
            }
        }
        wait(self.session.commit())?;
        Ok(())
    }

    fn stored(&self, batch: &[DynamicRecord]) -> Result<HashMap<Id, DynamicRecord>, Failure> {
        let ids = batch.iter().map(|document| document.id.to_string());
        let id = Column::<DynamicRecord, String>::named(field::ID);
        let query = self.session.query_in(&self.collection);
        let stored = wait(query.filter(id.is_in(ids)).limit(BATCH))?;
        Ok(stored
            .into_iter()
            .map(|document| (document.id.clone(), document))
            .collect())
    }
}
