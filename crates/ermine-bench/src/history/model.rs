//! A provider that counts what it is asked.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use ermine::{
    BatchLimits, DeterministicProvider, EmbeddingProvider, ModelIdentity, Role, StaticModel, Vector,
};

/// What embeds.
#[derive(Clone)]
pub(crate) enum Model {
    Cheap(DeterministicProvider),
    Bundled(StaticModel),
}

/// A provider and how often it embedded each text. A clone shares the counts.
#[derive(Clone)]
pub(super) struct Counting {
    model: Model,
    texts: Arc<Mutex<HashMap<String, usize>>>,
}

impl Model {
    pub(crate) fn cheap() -> Self {
        Self::Cheap(DeterministicProvider::new(256))
    }
}

impl Counting {
    pub(super) fn new(model: Model) -> Self {
        Self {
            model,
            texts: Arc::default(),
        }
    }

    /// The texts since the last look.
    pub(super) fn texts(&self) -> HashMap<String, usize> {
        std::mem::take(&mut *self.texts.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl EmbeddingProvider for Counting {
    fn identity(&self) -> &ModelIdentity {
        match &self.model {
            Model::Cheap(model) => model.identity(),
            Model::Bundled(model) => model.identity(),
        }
    }

    fn limits(&self) -> BatchLimits {
        match &self.model {
            Model::Cheap(model) => model.limits(),
            Model::Bundled(model) => model.limits(),
        }
    }

    async fn embed(&self, texts: &[&str], role: Role) -> ermine::Result<Vec<Option<Vector>>> {
        {
            let mut counts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
            for text in texts {
                *counts.entry((*text).to_owned()).or_default() += 1;
            }
        }
        match &self.model {
            Model::Cheap(model) => model.embed(texts, role).await,
            Model::Bundled(model) => EmbeddingProvider::embed(model, texts, role).await,
        }
    }
}
