//! Providers behind a pointer.

use super::{BatchLimits, EmbeddingProvider, ModelIdentity, Role};
use crate::{BoxFuture, Result, Vector};

/// [`EmbeddingProvider`] as an object; implemented for every provider.
pub trait DynEmbeddingProvider: Send + Sync + 'static {
    /// See [`EmbeddingProvider::identity`].
    fn identity(&self) -> &ModelIdentity;

    /// See [`EmbeddingProvider::limits`].
    fn limits(&self) -> BatchLimits;

    /// See [`EmbeddingProvider::tokens`].
    fn tokens(&self, text: &str) -> usize;

    /// See [`EmbeddingProvider::embed`].
    fn embed_boxed<'a>(
        &'a self,
        texts: &'a [&'a str],
        role: Role,
    ) -> BoxFuture<'a, Result<Vec<Option<Vector>>>>;
}

impl<P: EmbeddingProvider> DynEmbeddingProvider for P {
    fn identity(&self) -> &ModelIdentity {
        EmbeddingProvider::identity(self)
    }

    fn limits(&self) -> BatchLimits {
        EmbeddingProvider::limits(self)
    }

    fn tokens(&self, text: &str) -> usize {
        EmbeddingProvider::tokens(self, text)
    }

    fn embed_boxed<'a>(
        &'a self,
        texts: &'a [&'a str],
        role: Role,
    ) -> BoxFuture<'a, Result<Vec<Option<Vector>>>> {
        Box::pin(self.embed(texts, role))
    }
}
