//! The embedding models a store is opened with.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ermine::StaticModel;
use ermine_core::{
    BatchLimits, EmbeddingProvider, Error, ErrorKind, ModelIdentity, Result, Role, Vector,
};

/// The model that is part of the program.
pub(crate) fn bundled() -> StaticModel {
    StaticModel::bundled()
}

/// The bundled model, and how many texts of documents it was given.
pub(crate) type Bundled = Counted<StaticModel>;

/// The bundled model, its texts counted.
pub(crate) fn counted() -> Bundled {
    Counted::new(bundled())
}

/// A provider, and how many texts of documents it was given.
#[derive(Clone)]
pub(crate) struct Counted<P> {
    provider: P,
    texts: Arc<AtomicUsize>,
}

impl<P> Counted<P> {
    pub(crate) fn new(provider: P) -> Self {
        Self {
            provider,
            texts: Arc::default(),
        }
    }

    pub(crate) fn texts(&self) -> usize {
        self.texts.load(Ordering::Relaxed)
    }
}

impl<P: EmbeddingProvider> EmbeddingProvider for Counted<P> {
    fn identity(&self) -> &ModelIdentity {
        self.provider.identity()
    }

    fn limits(&self) -> BatchLimits {
        self.provider.limits()
    }

    fn tokens(&self, text: &str) -> usize {
        self.provider.tokens(text)
    }

    async fn embed(&self, texts: &[&str], role: Role) -> Result<Vec<Option<Vector>>> {
        if role == Role::Document {
            self.texts.fetch_add(texts.len(), Ordering::Relaxed);
        }
        self.provider.embed(texts, role).await
    }
}

/// Stands for the model that made stored vectors and is not part of this program: the
/// store opens, its text can be searched, and what would need the model is refused.
pub(crate) struct Elsewhere {
    identity: ModelIdentity,
}

impl Elsewhere {
    pub(crate) fn new(identity: ModelIdentity) -> Self {
        Self { identity }
    }
}

impl EmbeddingProvider for Elsewhere {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    async fn embed(&self, _texts: &[&str], _role: Role) -> Result<Vec<Option<Vector>>> {
        Err(Error::new(
            ErrorKind::ModelMismatch,
            format!(
                "the stored vectors are of the model {}, and this program has {}; search by words with --mode text, or by vector in the program that stored them",
                self.identity,
                bundled().identity()
            ),
        ))
    }
}
