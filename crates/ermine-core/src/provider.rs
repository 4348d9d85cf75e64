//! Embedding providers: text in, vectors out, with an identity.

mod erased;
mod identity;

use std::future::Future;

pub use erased::DynEmbeddingProvider;
pub use identity::ModelIdentity;

use crate::{Error, ErrorKind, Result, Vector};

/// Makes vectors of texts.
///
/// Models charge and are asked per batch, so texts come as a list. The answer
/// holds one entry per text, in their order; `None` says that a text cannot be
/// represented (nothing of it is known to the model), which is an answer and
/// not a failure. An empty list makes no call.
///
/// Callers do not trust a provider: [`embed_checked`] tests count, length and
/// finiteness of what comes back, and any violation is an error.
pub trait EmbeddingProvider: Send + Sync + 'static {
    /// Which model this is. Vectors of different identities are never compared.
    fn identity(&self) -> &ModelIdentity;

    /// How much one call may carry.
    fn limits(&self) -> BatchLimits {
        BatchLimits::default()
    }

    /// One vector per text, in order.
    fn embed(
        &self,
        texts: &[&str],
        role: Role,
    ) -> impl Future<Output = Result<Vec<Option<Vector>>>> + Send;
}

/// What a text is to be embedded as. Some models treat the two differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// A text that is stored.
    Document,
    /// A text that is searched with.
    Query,
}

/// How much one call of a provider may carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchLimits {
    /// The most texts.
    pub texts: usize,
    /// The most bytes of text together; a single longer text goes alone.
    pub bytes: usize,
}

impl Default for BatchLimits {
    fn default() -> Self {
        Self {
            texts: 256,
            bytes: 1 << 20,
        }
    }
}

impl BatchLimits {
    /// Cuts texts into runs that fit, in order.
    pub fn batches<'t, 's>(self, texts: &'t [&'s str]) -> Vec<&'t [&'s str]> {
        let mut batches = Vec::new();
        let mut rest = texts;
        while !rest.is_empty() {
            let mut bytes = 0_usize;
            let fits = rest
                .iter()
                .take(self.texts.max(1))
                .take_while(|text| {
                    bytes = bytes.saturating_add(text.len());
                    bytes <= self.bytes
                })
                .count();
            let (batch, after) = rest.split_at(fits.max(1));
            batches.push(batch);
            rest = after;
        }
        batches
    }
}

/// Embeds `texts` in as few calls as the limits allow and checks every answer
/// (rule P8): as many as asked, of the declared length, finite.
pub async fn embed_checked<P: DynEmbeddingProvider + ?Sized>(
    provider: &P,
    texts: &[&str],
    role: Role,
) -> Result<Vec<Option<Vector>>> {
    let identity = provider.identity();
    let wrong = |message: String| {
        Error::new(
            ErrorKind::Provider,
            format!("provider {identity}: {message}; nothing was written"),
        )
    };
    let mut vectors = Vec::with_capacity(texts.len());
    for batch in provider.limits().batches(texts) {
        let answer = provider.embed_boxed(batch, role).await?;
        if answer.len() != batch.len() {
            return Err(wrong(format!(
                "it was given {} texts and returned {} vectors",
                batch.len(),
                answer.len()
            )));
        }
        for vector in answer.iter().flatten() {
            if vector.len() != identity.dimensions {
                return Err(wrong(format!(
                    "it declares {} dimensions and returned a vector of {}",
                    identity.dimensions,
                    vector.len()
                )));
            }
            if vector.as_slice().iter().any(|v| !v.is_finite()) {
                return Err(wrong("it returned a number that is not finite".to_owned()));
            }
        }
        vectors.extend(answer);
    }
    Ok(vectors)
}
