//! Static embeddings: a vector per token, summed.

mod error;
mod format;
mod provider;
mod vocabulary;

use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use ermine_core::ModelIdentity;
pub use error::ModelError;
use vocabulary::Vocabulary;

use crate::wordpiece::tokenise;

static BUNDLED: &[u8] = include_bytes!("../models/english-256.ermstat");

/// A static embedding model: each token has one vector, and a text's vector is their sum, of unit length.
///
/// It costs microseconds a text, needs no network and no accelerator, and gives the same bits on every
/// machine. What it cannot see is order and context: "dog bites man" is "man bites dog".
///
/// Cloning shares the model.
///
/// ```
/// use ermine_embed::StaticModel;
///
/// let model = StaticModel::bundled();
/// let query = model.embed("a small carnivore in a white winter coat").unwrap();
/// let near = model.embed("the ermine is a weasel whose fur turns white in winter").unwrap();
/// let far = model.embed("the council raised the property tax").unwrap();
///
/// let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
/// assert_eq!(query.len(), 256);
/// assert!(dot(&query, &near) > dot(&query, &far));
/// assert_eq!(model.embed(" \n"), None);
/// ```
#[derive(Clone)]
pub struct StaticModel {
    inner: Arc<Inner>,
}

struct Inner {
    bytes: Cow<'static, [u8]>,
    rows_at: usize,
    dimensions: usize,
    name: String,
    content_hash: String,
    identity: ModelIdentity,
    vocabulary: Vocabulary,
    scales: Vec<f32>,
}

impl StaticModel {
    /// The English model of 256 dimensions that is part of this crate.
    ///
    /// It is distilled from all-MiniLM-L6-v2 on the glosses of WordNet; the crate's README is its model
    /// card. The first call reads the index of its tokens, which takes about a millisecond; its vectors
    /// stay in the program's own read-only memory.
    #[must_use]
    #[expect(
        clippy::expect_used,
        reason = "the bytes are the crate's own and a test pins their hash"
    )]
    pub fn bundled() -> Self {
        static MODEL: OnceLock<StaticModel> = OnceLock::new();
        MODEL
            .get_or_init(|| {
                Self::read(Cow::Borrowed(BUNDLED)).expect("the bundled model is well formed")
            })
            .clone()
    }

    /// Reads a model from the bytes of its file, and checks them against the hash that they carry.
    ///
    /// `&'static` bytes, as of `include_bytes!`, are borrowed and never copied.
    ///
    /// # Errors
    /// [`ModelError`] when the bytes are not a whole, undamaged model file. No input makes it panic.
    ///
    /// ```
    /// use ermine_embed::{ModelError, StaticModel};
    ///
    /// let refused = StaticModel::from_bytes(b"GGUF".as_slice());
    /// assert!(matches!(refused, Err(ModelError::NotAModel)));
    /// ```
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, ModelError> {
        let bytes = bytes.into();
        let layout = format::parse(&bytes)?;
        format::verify(&bytes, layout.content_hash)?;
        Self::read(bytes)
    }

    /// Reads a model from a file, as [`from_bytes`](Self::from_bytes) does.
    ///
    /// # Errors
    /// [`ModelError::Read`] when the file cannot be read, and those of [`from_bytes`](Self::from_bytes).
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, ModelError> {
        let path = path.as_ref();
        let bytes = std::fs::read(path).map_err(|source| ModelError::Read {
            path: path.to_owned(),
            source,
        })?;
        Self::from_bytes(bytes)
    }

    fn read(bytes: Cow<'static, [u8]>) -> Result<Self, ModelError> {
        let mut inner = match &bytes {
            Cow::Borrowed(bytes) => {
                let layout = format::parse(bytes)?;
                Inner::new(&layout, Cow::Borrowed(layout.vocabulary))?
            }
            Cow::Owned(bytes) => {
                let layout = format::parse(bytes)?;
                Inner::new(&layout, Cow::Owned(layout.vocabulary.to_owned()))?
            }
        };
        inner.bytes = bytes;
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// The vector of a text: [`dimensions`](Self::dimensions) floats, of unit length.
    ///
    /// `None` means that the model cannot represent the text: it is empty, holds no word of the model's
    /// vocabulary, or nothing that the model gives a weight (the bundled one ignores punctuation). Words
    /// outside the vocabulary contribute nothing. There is no limit on the length of a text.
    ///
    /// The sum is taken in the text's order with one rounding per step, so the answer is the same on
    /// every machine, to the bit.
    #[must_use]
    pub fn embed(&self, text: &str) -> Option<Vec<f32>> {
        let mut sum = vec![0.0_f32; self.inner.dimensions];
        tokenise(text, &self.inner.vocabulary, |token| {
            self.inner.add(token, &mut sum);
        });
        to_unit_length(sum)
    }

    /// The pieces that [`embed`](Self::embed) would add up, in the text's order.
    ///
    /// ```
    /// use ermine_embed::StaticModel;
    ///
    /// let model = StaticModel::bundled();
    /// assert_eq!(model.pieces("Café pgvector!"), ["cafe", "pg", "##ve", "##ctor", "!"]);
    /// ```
    #[must_use]
    pub fn pieces(&self, text: &str) -> Vec<&str> {
        let mut pieces = Vec::new();
        let vocabulary = &self.inner.vocabulary;
        tokenise(text, vocabulary, |token| {
            pieces.extend(vocabulary.token(token));
        });
        pieces
    }

    /// How many floats a vector has.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.inner.dimensions
    }

    /// The name in the model's file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// SHA-256 of the model's content, in lowercase hex: two models with the same hash give the same
    /// vectors. It is the hash in the file's header, not that of the file.
    #[must_use]
    pub fn content_hash(&self) -> &str {
        &self.inner.content_hash
    }

    /// How many tokens have a vector.
    #[must_use]
    pub fn token_count(&self) -> usize {
        self.inner.scales.len()
    }
}

impl Inner {
    fn new(layout: &format::Layout<'_>, vocabulary: Cow<'static, str>) -> Result<Self, ModelError> {
        let content_hash: String = layout
            .content_hash
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect();
        Ok(Self {
            bytes: Cow::Borrowed(&[]),
            rows_at: layout.rows_at,
            dimensions: layout.dimensions,
            name: layout.name.to_owned(),
            identity: provider::identity(layout.name, &content_hash, layout.dimensions),
            content_hash,
            vocabulary: Vocabulary::new(vocabulary, layout.token_lengths)?,
            scales: layout.scales.clone(),
        })
    }

    /// Adds a token's vector to `sum`. A token without a row adds nothing.
    fn add(&self, token: u32, sum: &mut [f32]) {
        let row = || {
            let token = usize::try_from(token).ok()?;
            let start = self
                .rows_at
                .checked_add(token.checked_mul(self.dimensions)?)?;
            let row = self.bytes.get(start..start.checked_add(self.dimensions)?)?;
            Some((*self.scales.get(token)?, row))
        };
        if let Some((scale, row)) = row() {
            for (sum, &element) in sum.iter_mut().zip(row) {
                *sum += scale * f32::from(element.cast_signed());
            }
        }
    }
}

impl fmt::Debug for StaticModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StaticModel")
            .field("name", &self.name())
            .field("dimensions", &self.dimensions())
            .field("content_hash", &self.content_hash())
            .finish_non_exhaustive()
    }
}

/// Brings a vector to unit length; none if it has no direction.
pub(crate) fn to_unit_length(mut vector: Vec<f32>) -> Option<Vec<f32>> {
    let squares = vector
        .iter()
        .fold(0.0_f64, |sum, &x| sum + f64::from(x) * f64::from(x));
    if !squares.is_finite() || squares <= 0.0 {
        return None;
    }
    let length = squares.sqrt();
    for x in &mut vector {
        *x = (f64::from(*x) / length) as f32;
    }
    Some(vector)
}
