//! The database a fact is given, and how facts open it.

use ermine_core::{DynamicRecord, Engine, Filter, Id, Result, Schema, Storage, TenantId, Token};
use ermine_store::{Collection, Query, Reader, Search, Session, Store, StoreBuilder};

use crate::{Database, Overwriting, Place};

/// An empty database.
pub struct World {
    database: Box<dyn Database>,
}

impl World {
    /// The world of a database.
    pub fn of(database: Box<dyn Database>) -> Self {
        Self { database }
    }

    /// The store without the runtime over it.
    pub(crate) async fn engine(&self) -> Result<Engine> {
        self.database.connect().await
    }

    /// A store over the database, to be told what it holds.
    pub(crate) async fn builder(&self) -> Result<StoreBuilder<Engine>> {
        Ok(Store::builder(self.database.connect().await?))
    }

    /// Opens the database with what `declare` declares, and makes sure that the
    /// database was told of it: a store that was not would pass facts by luck.
    pub(crate) async fn store(
        &self,
        declare: impl FnOnce(StoreBuilder<Engine>) -> StoreBuilder<Engine>,
    ) -> Result<Store<Engine>> {
        let engine = self.database.connect().await?;
        let store = declare(Store::builder(engine.clone())).open().await?;
        let stored = engine.declarations().await?;
        for (name, _) in store.reports() {
            let opened = store.dynamic(name)?;
            let told = stored.iter().find(|stored| stored.schema.name() == name);
            assert_eq!(
                told.map(|told| &told.schema),
                Some(opened.schema()),
                "`{name}` was not declared to the database as it was opened"
            );
        }
        Ok(store)
    }

    /// Opens the database with one document type, for a session without a tenant.
    pub(crate) async fn open(&self, schema: impl Into<Opening>) -> Result<Docs> {
        let schema = schema.into().0?;
        let name = schema.name().to_owned();
        let store = self.store(|builder| builder.schema(schema)).await?;
        Docs::of(&store, &name, None)
    }

    /// Puts bytes in place of a stored vector.
    pub(crate) async fn overwrite_vector(
        &self,
        collection: &str,
        id: impl Into<Id>,
        field: &str,
        bytes: &[u8],
    ) -> Result<Overwriting> {
        let id = id.into();
        let place = Place {
            collection,
            tenant: None,
            id: &id,
        };
        self.database.overwrite_vector(place, field, bytes).await
    }

    /// Puts text in place of a stored body.
    pub(crate) async fn overwrite_body(
        &self,
        collection: &str,
        tenant: Option<&TenantId>,
        id: impl Into<Id>,
        body: &str,
    ) -> Result<()> {
        let id = id.into();
        let place = Place {
            collection,
            tenant,
            id: &id,
        };
        self.database.overwrite_body(place, body).await
    }
}

/// A schema, or a builder that makes one.
pub(crate) struct Opening(Result<Schema>);

impl From<Schema> for Opening {
    fn from(schema: Schema) -> Self {
        Self(Ok(schema))
    }
}

impl From<ermine_core::SchemaBuilder> for Opening {
    fn from(builder: ermine_core::SchemaBuilder) -> Self {
        Self(builder.build())
    }
}

/// One document type of an open store, seen by one tenant or by none.
#[derive(Clone)]
pub(crate) struct Docs {
    pub(crate) store: Store<Engine>,
    pub(crate) kind: Collection<DynamicRecord>,
    pub(crate) reader: Reader<Engine>,
    tenant: Option<String>,
}

impl Docs {
    pub(crate) fn of(store: &Store<Engine>, name: &str, tenant: Option<&str>) -> Result<Self> {
        Ok(Self {
            kind: store.dynamic(name)?,
            reader: match tenant {
                Some(tenant) => store.reader(tenant),
                None => store.reader_without_tenant(),
            },
            store: store.clone(),
            tenant: tenant.map(str::to_owned),
        })
    }

    /// The same documents' type, seen by a tenant.
    pub(crate) fn tenant(&self, tenant: &str) -> Result<Self> {
        Self::of(&self.store, self.kind.schema().name(), Some(tenant))
    }

    pub(crate) fn session(&self) -> Session<Engine> {
        match &self.tenant {
            Some(tenant) => self.store.session(tenant),
            None => self.store.session_without_tenant(),
        }
    }

    /// Stores documents, in one commit.
    pub(crate) async fn put(
        &self,
        documents: impl IntoIterator<Item = DynamicRecord>,
    ) -> Result<Token> {
        let mut session = self.session();
        for document in documents {
            session.store_in(&self.kind, &document);
        }
        session.commit().await
    }

    /// Deletes a document, in a commit of its own.
    pub(crate) async fn delete(&self, id: impl Into<Id>) -> Result<Token> {
        let mut session = self.session();
        session.delete_in(&self.kind, id.into());
        session.commit().await
    }

    pub(crate) async fn load(&self, id: impl Into<Id>) -> Result<Option<DynamicRecord>> {
        self.reader.load_in(&self.kind, id.into()).await
    }

    pub(crate) fn search(&self) -> Search<Engine, DynamicRecord> {
        self.reader.search_in(&self.kind)
    }

    pub(crate) fn query(&self) -> Query<DynamicRecord> {
        self.reader.query_in(&self.kind)
    }

    /// The ids of the documents that pass a filter, in their order.
    pub(crate) async fn passing(&self, filter: Filter<DynamicRecord>) -> Result<Vec<String>> {
        let found = self.query().filter(filter).limit(1_000).await?;
        Ok(found
            .iter()
            .map(|document| document.id.to_string())
            .collect())
    }
}
