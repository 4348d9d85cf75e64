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

    /// How many tokens a text has, for [`BatchLimits::tokens`]: a quarter of its bytes,
    /// unless the provider knows better.
    fn tokens(&self, text: &str) -> usize {
        text.len().div_ceil(4)
    }

    /// One vector per text, in order.
    ///
    /// # Errors
    ///
    /// `RejectedText` where the texts, or one of them, are refused for good; anything
    /// else may succeed later, after [`Error::retry_after`] where that is given.
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
    /// The most tokens together. A single text of more is refused without a call.
    pub tokens: usize,
}

impl Default for BatchLimits {
    fn default() -> Self {
        Self {
            texts: 256,
            bytes: 1 << 20,
            tokens: usize::MAX,
        }
    }
}

impl BatchLimits {
    /// Cuts texts into runs that fit, in order. `tokens` says how many a text has.
    pub fn batches<'t, 's>(
        self,
        texts: &'t [&'s str],
        tokens: impl Fn(&str) -> usize,
    ) -> Vec<&'t [&'s str]> {
        let mut batches = Vec::new();
        let mut rest = texts;
        while !rest.is_empty() {
            let mut bytes = 0_usize;
            let mut counted = 0_usize;
            let fits = rest
                .iter()
                .take(self.texts.max(1))
                .take_while(|text| {
                    bytes = bytes.saturating_add(text.len());
                    counted = counted.saturating_add(tokens(text));
                    bytes <= self.bytes && counted <= self.tokens
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
///
/// # Errors
///
/// `RejectedText`, before any call, for a text of more tokens than one call may carry;
/// `Provider` for a wrong answer; and the provider's own.
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
    let limits = provider.limits();
    for text in texts {
        let tokens = provider.tokens(text);
        if tokens > limits.tokens {
            return Err(Error::new(
                ErrorKind::RejectedText,
                format!(
                    "provider {identity}: a text has {tokens} tokens, and at most {} are embedded; shorten it, or cut it into several",
                    limits.tokens
                ),
            ));
        }
    }
    let mut vectors = Vec::with_capacity(texts.len());
    for batch in limits.batches(texts, |text| provider.tokens(text)) {
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
