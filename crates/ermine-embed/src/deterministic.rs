//! A provider without a model, for tests and demonstrations.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ermine_core::{EmbeddingProvider, ModelIdentity, Result, Role, Vector};
use sha2::{Digest, Sha256};

use crate::static_model::to_unit_length;

/// Vectors made from hashes, for tests and demonstrations: it knows no meaning.
///
/// The same text gives the same vector on every machine, and texts that share words are nearer than
/// texts that do not: each word has a direction of its own, and a text is the sum of its words'. A word
/// is a run of letters and digits, in any case; a text without one is hashed whole, and a blank text
/// cannot be represented.
///
/// It counts what it is asked, so that a test can say how many calls an operation cost. A clone shares
/// the counts.
///
/// ```
/// use ermine_embed::DeterministicProvider;
///
/// let provider = DeterministicProvider::new(1_536);
/// let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
/// let query = provider.vector("pool timeouts").unwrap();
/// let near = provider.vector("The pool, and its timeouts").unwrap();
/// let far = provider.vector("nothing in common").unwrap();
/// assert!(dot(&query, &near) > dot(&query, &far));
/// assert_eq!(provider.calls(), 0); // only calls through the provider trait count
/// ```
#[derive(Debug, Clone)]
pub struct DeterministicProvider {
    identity: ModelIdentity,
    counts: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    calls: AtomicUsize,
    texts: AtomicUsize,
}

impl DeterministicProvider {
    /// A provider of vectors with `dimensions` floats.
    #[must_use]
    pub fn new(dimensions: usize) -> Self {
        let identity = ModelIdentity::new("deterministic", "hashed-words-1", dimensions);
        Self {
            identity,
            counts: Arc::default(),
        }
    }

    /// The vector of a text, of unit length; not counted. `None` for a blank text.
    #[must_use]
    pub fn vector(&self, text: &str) -> Option<Vec<f32>> {
        let mut sum = vec![0.0_f32; self.identity.dimensions];
        let mut words = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .peekable();
        if words.peek().is_some() {
            words.for_each(|word| add_direction(&word.to_lowercase(), &mut sum));
        } else if !text.trim().is_empty() {
            add_direction(text.trim(), &mut sum);
        }
        to_unit_length(sum)
    }

    /// How many calls were made, by this provider and its clones.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.counts.calls.load(Ordering::Relaxed)
    }

    /// How many texts those calls held.
    #[must_use]
    pub fn texts(&self) -> usize {
        self.counts.texts.load(Ordering::Relaxed)
    }

    /// Sets both counts to 0.
    pub fn reset_counts(&self) {
        self.counts.calls.store(0, Ordering::Relaxed);
        self.counts.texts.store(0, Ordering::Relaxed);
    }
}

/// Both roles are embedded alike, and a call never fails.
impl EmbeddingProvider for DeterministicProvider {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    async fn embed(&self, texts: &[&str], _role: Role) -> Result<Vec<Option<Vector>>> {
        self.counts.calls.fetch_add(1, Ordering::Relaxed);
        self.counts.texts.fetch_add(texts.len(), Ordering::Relaxed);
        Ok(texts
            .iter()
            .map(|text| self.vector(text).map(Vector::from))
            .collect())
    }
}

/// Adds a word's own direction: whole numbers from −128 to 127, so sums are exact and order is no matter.
fn add_direction(word: &str, sum: &mut [f32]) {
    for (block, part) in (0_u64..).zip(sum.chunks_mut(32)) {
        let digest = Sha256::new()
            .chain_update(block.to_le_bytes())
            .chain_update(word)
            .finalize();
        for (sum, byte) in part.iter_mut().zip(digest) {
            *sum += f32::from(byte.cast_signed());
        }
    }
}
