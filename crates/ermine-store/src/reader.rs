//! Reading: documents by id, and where queries and searches begin.

mod cross_tenant;
mod events;

use std::fmt;
use std::marker::PhantomData;

use ermine_core::{
    Answer, Backend, DeletedScope, Document, Error, ErrorKind, HybridSearch, Id, Include, Read,
    Record, Result, StoredRecord,
};

pub use cross_tenant::CrossTenantReader;

use crate::runtime::Context;
use crate::{Collection, Fusion, FusionKey, Query, Search, ToId};

/// Reads of one tenant's documents, or of those that have no tenants.
///
/// It cannot write: that is what a [`Session`](crate::Session) is for. What is
/// read is what was committed when the read began.
pub struct Reader<B> {
    context: Context,
    backend: PhantomData<fn() -> B>,
}

impl<B: Backend> Reader<B> {
    pub(crate) fn new(context: Context) -> Self {
        Self {
            context,
            backend: PhantomData,
        }
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// The document with this id, its vectors included; `None` where there is
    /// none, or it is soft-deleted.
    ///
    /// # Errors
    ///
    /// `Body` where what is stored does not deserialise (rule D8), `Corrupt`
    /// where a stored vector is not one.
    pub async fn load<D: Document>(&self, id: impl ToId<D::Id>) -> Result<Option<D>> {
        let ids = vec![id.to_id()];
        let mut found = self.get(self.context.runtime.typed::<D>(), ids).await?;
        Ok(found.pop())
    }

    /// The documents with these ids, in their order; those that are missing are left out.
    ///
    /// # Errors
    ///
    /// As [`load`](Self::load).
    pub async fn load_many<D: Document>(
        &self,
        ids: impl IntoIterator<Item = impl ToId<D::Id>>,
    ) -> Result<Vec<D>> {
        let ids = ids.into_iter().map(ToId::to_id).collect();
        self.get(self.context.runtime.typed::<D>(), ids).await
    }

    /// [`load`](Self::load), from a collection at hand.
    ///
    /// # Errors
    ///
    /// As [`load`](Self::load).
    pub async fn load_in<R: Record>(
        &self,
        collection: &Collection<R>,
        id: impl ToId<R::Id>,
    ) -> Result<Option<R>> {
        let ids = vec![id.to_id()];
        let mut found = self.get(Ok(collection.clone()), ids).await?;
        Ok(found.pop())
    }

    /// [`load_many`](Self::load_many), from a collection at hand.
    ///
    /// # Errors
    ///
    /// As [`load`](Self::load).
    pub async fn load_many_in<R: Record>(
        &self,
        collection: &Collection<R>,
        ids: impl IntoIterator<Item = impl ToId<R::Id>>,
    ) -> Result<Vec<R>> {
        let ids = ids.into_iter().map(ToId::to_id).collect();
        self.get(Ok(collection.clone()), ids).await
    }

    async fn get<R: Record>(
        &self,
        collection: Result<Collection<R>>,
        ids: Vec<Id>,
    ) -> Result<Vec<R>> {
        let opened = collection?.opened;
        let read = Read::Get {
            target: self.context.target(&opened, None, DeletedScope::Hidden)?,
            ids,
            include: Include {
                vectors: true,
                ..Include::default()
            },
        };
        let found = self.context.records(read).await?;
        found
            .into_iter()
            .map(|stored| R::from_stored(&opened.schema, stored))
            .collect()
    }

    /// Begins a query of the documents of type `D`.
    pub fn query<D: Document>(&self) -> Query<D> {
        Query::new(self.context.clone(), self.context.runtime.typed())
    }

    /// Begins a query of the documents of a collection.
    pub fn query_in<R: Record>(&self, collection: &Collection<R>) -> Query<R> {
        Query::new(self.context.clone(), Ok(collection.clone()))
    }

    /// Begins a search of the documents of type `D`.
    pub fn search<D: Document>(&self) -> Search<B, D> {
        Search::new(self.context.clone(), self.context.runtime.typed())
    }

    /// Begins a search of the documents of a collection.
    pub fn search_in<R: Record>(&self, collection: &Collection<R>) -> Search<B, R> {
        Search::new(self.context.clone(), Ok(collection.clone()))
    }

    /// Begins a fusion of rankings over any types, by a key of the caller's.
    pub fn fuse<K: FusionKey>(&self) -> Fusion<K>
    where
        B::Store: HybridSearch,
    {
        Fusion::new(self.context.clone())
    }
}

impl<B> Clone for Reader<B> {
    fn clone(&self) -> Self {
        Self {
            context: self.context.clone(),
            backend: PhantomData,
        }
    }
}

impl<B> fmt::Debug for Reader<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Reader({:?})", self.context.whose)
    }
}

impl Context {
    /// The answers to some reads at one snapshot, as many as there are reads.
    pub(crate) async fn answers<const N: usize>(&self, reads: [Read; N]) -> Result<[Answer; N]> {
        use ermine_core::Storage;
        let answers = self.runtime.engine.read(&reads).await?;
        answers.try_into().map_err(|_| broken_answer())
    }

    /// The documents that one read answers with.
    pub(crate) async fn records(&self, read: Read) -> Result<Vec<StoredRecord>> {
        let [answer] = self.answers([read]).await?;
        answer_records(answer)
    }
}

pub(crate) fn answer_records(answer: Answer) -> Result<Vec<StoredRecord>> {
    match answer {
        Answer::Records(records) => Ok(records),
        _ => Err(broken_answer()),
    }
}

/// The error of a store that answers something else than it was asked.
pub(crate) fn broken_answer() -> Error {
    Error::new(
        ErrorKind::Storage,
        "the store answered with something else than it was asked for; this is a defect of the store",
    )
}
