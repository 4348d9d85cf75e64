//! Opening stores.

use std::path::Path;

use ermine::{Postgres, Sqlite, Store, StoreBuilder};
use ermine_core::{
    Backend, Declaration, EmbeddingProvider, Engine, Schema, SchemaMode, Storage, VectorFieldSchema,
};

use crate::address::Address;
use crate::failure::Failure;
use crate::model::{self, Elsewhere};
use crate::suggest::{closest, list};
use crate::wait::wait;

/// A store that was connected to, and what is declared in it.
pub(crate) struct Connected {
    pub(crate) engine: Engine,
    pub(crate) declarations: Vec<Declaration>,
}

/// Connects to a store that exists.
pub(crate) fn existing(address: &Address) -> Result<Connected, Failure> {
    address.must_exist()?;
    connect(address, |path| Sqlite::existing(path))
}

/// Connects to a store, and makes it if need be.
pub(crate) fn made(address: &Address) -> Result<Connected, Failure> {
    address.may_be_made()?;
    connect(address, |path| Sqlite::file(path))
}

fn connect(address: &Address, open: impl FnOnce(&Path) -> Sqlite) -> Result<Connected, Failure> {
    let engine = match address {
        Address::File(file) => wait(open(file.path()).connect())?,
        Address::Server(server) => wait(Postgres::url(server.url()).connect())
            .map_err(|error| Failure::from(error).with("name another store with --store"))?,
    };
    let declarations = wait(engine.declarations())?;
    Ok(Connected {
        engine,
        declarations,
    })
}

impl Connected {
    /// Opens one collection to write to, whose vectors `provider` makes.
    pub(crate) fn for_import(
        self,
        schema: Schema,
        provider: impl EmbeddingProvider,
    ) -> Result<Store<Engine>, Failure> {
        let builder = Store::builder(self.engine).schema(schema);
        Ok(wait(builder.embeddings(provider).open())?)
    }

    /// Opens one stored collection to search it, and changes nothing.
    pub(crate) fn for_search(&self, stored: &Declaration) -> Result<Store<Engine>, Failure> {
        let schema = stored.schema.as_ref();
        let mut builder = Store::builder(self.engine.clone())
            .schema(schema.clone())
            .schema_mode(SchemaMode::Assert);
        let models = stored.models.iter().map(Option::as_ref);
        for (field, model) in schema.vectors().iter().zip(models) {
            builder = provide(builder, schema, field, model);
        }
        Ok(wait(builder.open())?)
    }

    /// The collection `name`; without one, `documents` or the only one there is.
    pub(crate) fn collection(&self, name: Option<&str>) -> Result<&Declaration, Failure> {
        let named = |name: &str| self.declarations.iter().find(|d| d.schema.name() == name);
        let known = || self.declarations.iter().map(|d| d.schema.name());
        if self.declarations.is_empty() {
            return Err(Failure::new(
                "the store is empty; import into it with `ermine import FOLDER`",
            ));
        }
        match (name, self.declarations.as_slice()) {
            (None, [only]) => Ok(only),
            (None, _) => named("documents").ok_or_else(|| {
                let known = list(known());
                Failure::new(format!(
                    "the store has {known}; choose one with --collection"
                ))
            }),
            (Some(name), _) => named(name).ok_or_else(|| {
                let hint = match closest(name, known()) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("it has {}", list(known())),
                };
                Failure::new(format!("the store has no collection `{name}`; {hint}"))
            }),
        }
    }
}

/// Gives a field the model its vectors were made by.
fn provide(
    builder: StoreBuilder<Engine>,
    schema: &Schema,
    field: &VectorFieldSchema,
    stored: Option<&ermine_core::ModelIdentity>,
) -> StoreBuilder<Engine> {
    let bundled = model::bundled();
    match stored {
        Some(stored) if stored == bundled.identity() => {
            builder.embeddings_for(schema.name(), field.name(), bundled)
        }
        Some(stored) => {
            let elsewhere = Elsewhere::new(stored.clone());
            builder.embeddings_for(schema.name(), field.name(), elsewhere)
        }
        None => builder,
    }
}
