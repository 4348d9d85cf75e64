//! The reference store under test.

use ermine_core::{Backend, BoxFuture, Engine, Result};

use super::Reference;
use crate::{Database, Fixture, Overwriting, Place};

/// Holds the reference store to the facts.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReferenceFixture;

impl Fixture for ReferenceFixture {
    fn name(&self) -> &'static str {
        "reference"
    }

    fn fresh(&self) -> BoxFuture<'_, Result<Box<dyn Database>>> {
        Box::pin(async { Ok(Box::new(Reference::new()) as Box<dyn Database>) })
    }
}

impl Database for Reference {
    fn connect(&self) -> BoxFuture<'_, Result<Engine>> {
        Box::pin(Backend::connect(self.clone()))
    }

    fn overwrite_vector<'a>(
        &'a self,
        document: Place<'a>,
        field: &'a str,
        bytes: &'a [u8],
    ) -> BoxFuture<'a, Result<Overwriting>> {
        let Place {
            collection,
            tenant,
            id,
        } = document;
        Box::pin(async move {
            self.overwrite_vector(collection, tenant, id, field, bytes)?;
            Ok(Overwriting::Done)
        })
    }

    fn overwrite_body<'a>(
        &'a self,
        document: Place<'a>,
        body: &'a str,
    ) -> BoxFuture<'a, Result<()>> {
        let Place {
            collection,
            tenant,
            id,
        } = document;
        Box::pin(async move { self.overwrite_body(collection, tenant, id, body) })
    }
}
