//! The unit of work.

mod events;

use std::fmt;
use std::ops::Deref;

use ermine_core::{
    Backend, DeleteMode, Document, Filter, PutMode, Record, Result, Token, Vector, VectorField,
};

use crate::events::Metadata;
use crate::unit_of_work::{ReadyVector, UnitOfWork};
use crate::{Collection, Reader, ToId};

/// A unit of work: operations recorded in order, and written together by
/// [`commit`](Self::commit).
///
/// It reads as its [`Reader`] does, which is what is committed: nothing that is
/// recorded here is visible before it is. Dropping it discards what was recorded.
/// The first mistake (a vector of the wrong length, a tenant's name that is
/// empty) is kept and reported by commit, with its document.
pub struct Session<B> {
    reader: Reader<B>,
    unit: UnitOfWork,
    /// What is said about the events recorded from now on.
    metadata: Metadata,
}

macro_rules! puts {
    ($($(#[$doc:meta])* $method:ident, $method_in:ident => $mode:ident;)*) => {
        impl<B: Backend> Session<B> {$(
            $(#[$doc])*
            pub fn $method<D: Document>(&mut self, document: &D) {
                let collection = self.reader.context().runtime.typed();
                self.put(collection, document, PutMode::$mode, None);
            }

            #[doc = concat!("[`", stringify!($method), "`](Self::", stringify!($method), "), in a collection at hand.")]
            pub fn $method_in<R: Record>(&mut self, collection: &Collection<R>, record: &R) {
                self.put(Ok(collection.clone()), record, PutMode::$mode, None);
            }
        )*}
    };
}

puts! {
    /// Stores a document: replaces the one of its id, or creates it. One that
    /// was soft-deleted comes back.
    store, store_in => Store;
    /// Creates a document; commit fails with `AlreadyExists` where its id exists.
    insert, insert_in => Insert;
    /// Replaces a document; commit fails with `Missing` where its id does not
    /// exist, or is soft-deleted.
    update, update_in => Update;
}

impl<B: Backend> Session<B> {
    pub(crate) fn new(context: crate::runtime::Context) -> Self {
        Self {
            reader: Reader::new(context),
            unit: UnitOfWork::default(),
            metadata: Metadata::default(),
        }
    }

    fn put<R: Record>(
        &mut self,
        collection: Result<Collection<R>>,
        record: &R,
        mode: PutMode,
        ready: Option<ReadyVector>,
    ) {
        let recorded = collection.and_then(|collection| {
            let parts = record.to_parts(collection.schema())?;
            Ok((collection.opened, parts))
        });
        self.unit.put(self.reader.context(), recorded, mode, ready);
    }

    /// Stores a document with a vector at hand for a field that is embedded from
    /// text: nothing is embedded, and the text's hash is recorded with it (rule D11).
    /// A document without text for the field is refused. In a field that its
    /// caller feeds it is the same as the document's own value.
    pub fn store_with_vector<D: Document>(
        &mut self,
        document: &D,
        field: VectorField<D>,
        vector: impl Into<Vector>,
    ) {
        let collection = self.reader.context().runtime.typed();
        let ready = ReadyVector {
            field: field.name().to_owned(),
            vector: vector.into(),
        };
        self.put(collection, document, PutMode::Store, Some(ready));
    }

    /// [`store_with_vector`](Self::store_with_vector), in a collection at hand.
    pub fn store_with_vector_in<R: Record>(
        &mut self,
        collection: &Collection<R>,
        record: &R,
        field: VectorField<R>,
        vector: impl Into<Vector>,
    ) {
        let ready = ReadyVector {
            field: field.name().to_owned(),
            vector: vector.into(),
        };
        self.put(Ok(collection.clone()), record, PutMode::Store, Some(ready));
    }

    /// Deletes the document with this id, as its type declares: removed, or
    /// hidden until it is stored again. Of a missing one, nothing happens.
    pub fn delete<D: Document>(&mut self, id: impl ToId<D::Id>) {
        let collection = self.reader.context().runtime.typed::<D>();
        self.remove(collection, id, DeleteMode::Declared);
    }

    /// [`delete`](Self::delete), in a collection at hand.
    pub fn delete_in<R: Record>(&mut self, collection: &Collection<R>, id: impl ToId<R::Id>) {
        self.remove(Ok(collection.clone()), id, DeleteMode::Declared);
    }

    /// Removes the document with this id, whatever its type declares.
    pub fn hard_delete<D: Document>(&mut self, id: impl ToId<D::Id>) {
        let collection = self.reader.context().runtime.typed::<D>();
        self.remove(collection, id, DeleteMode::Hard);
    }

    /// [`hard_delete`](Self::hard_delete), in a collection at hand.
    pub fn hard_delete_in<R: Record>(&mut self, collection: &Collection<R>, id: impl ToId<R::Id>) {
        self.remove(Ok(collection.clone()), id, DeleteMode::Hard);
    }

    fn remove<R: Record>(
        &mut self,
        collection: Result<Collection<R>>,
        id: impl ToId<R::Id>,
        mode: DeleteMode,
    ) {
        let opened = collection.map(|collection| collection.opened);
        self.unit
            .delete(self.reader.context(), opened, id.to_id(), mode);
    }

    /// Deletes the live documents of type `D` that pass `filter`, as the type declares.
    pub fn delete_where<D: Document>(&mut self, filter: Filter<D>) {
        let collection = self.reader.context().runtime.typed::<D>();
        let opened = collection.map(|collection| collection.opened);
        self.unit
            .delete_where(self.reader.context(), opened, filter.into_expr());
    }

    /// [`delete_where`](Self::delete_where), in a collection at hand.
    pub fn delete_where_in<R: Record>(&mut self, collection: &Collection<R>, filter: Filter<R>) {
        self.unit.delete_where(
            self.reader.context(),
            Ok(collection.opened.clone()),
            filter.into_expr(),
        );
    }

    /// How many operations wait for commit, without those that the store is writing.
    pub fn pending(&self) -> usize {
        self.unit.pending()
    }

    /// Forgets what was recorded, mistakes included.
    pub fn discard(&mut self) {
        self.unit.discard();
    }

    /// Writes what was recorded, in order, all or none, and returns what a later
    /// search shows to be sure to see it.
    ///
    /// Texts that changed are embedded first, before any transaction begins, in
    /// as few provider calls as they fit in; a document whose text is unchanged
    /// keeps its vector and costs none (rules D11, P7).
    ///
    /// Afterwards the session is empty and can be used again: a second commit
    /// writes nothing and returns the same token. After an error it is empty
    /// too, unless nothing was written and the same commit may succeed later
    /// ([`is_retryable`](ermine_core::Error::is_retryable), or the provider
    /// failed): then everything is kept for another `commit`, or for
    /// [`discard`](Self::discard), and texts that were embedded are not embedded again.
    ///
    /// Dropping the future withdraws a unit that the store has not begun to write: its
    /// operations still wait, and the next commit writes them. One that it has begun
    /// is written to its end, and the next commit first waits for that and reports
    /// it: its error, or else the commit goes on with what was recorded since, which
    /// is kept either way (rule D12). Dropping the session does the same.
    ///
    /// # Errors
    ///
    /// The first mistake recorded; `AlreadyExists`, `Missing` and `Conflict` as
    /// the operations say; those of the provider and of the store. `OutcomeUnknown`
    /// where the connection died while the store wrote.
    pub async fn commit(&mut self) -> Result<Token> {
        self.unit.commit(self.reader.context()).await
    }
}

impl<B> Deref for Session<B> {
    type Target = Reader<B>;
    fn deref(&self) -> &Reader<B> {
        &self.reader
    }
}

impl<B> fmt::Debug for Session<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("reader", &self.reader)
            .field("pending", &self.unit.pending())
            .finish()
    }
}
