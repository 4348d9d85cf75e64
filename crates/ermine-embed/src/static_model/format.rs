//! The model file.
//!
//! Integers and floats are little-endian; nothing is padded or aligned.
//!
//! | offset | bytes | what |
//! |---|---|---|
//! | 0 | 8 | magic, `ERMSTATC` |
//! | 8 | 4 | format version, 1 |
//! | 12 | 4 | D: dimensions, 1 to 16,000 |
//! | 16 | 4 | T: tokens, at least 1 |
//! | 20 | 4 | N: length of the model's name |
//! | 24 | 4 | V: length of the vocabulary |
//! | 28 | 4 | reserved, 0 |
//! | 32 | 32 | SHA-256 of bytes 0–31 and of everything from byte 64 on: the content hash |
//! | 64 | N | the model's name, UTF-8 |
//! | | T | length in bytes of each token, 1 to 64 |
//! | | V | the tokens one after another, UTF-8, each different; a piece that continues a word begins with `##` |
//! | | 4 T | a scale per token: f32, finite, not negative |
//! | | D T | a row per token: D elements, i8 |
//!
//! A token's vector is its scale times its row, with its frequency weight already in it. A text's
//! vector is the sum of its tokens' vectors, brought to unit length.

use sha2::{Digest, Sha256};

use super::ModelError;

const MAGIC: &[u8; 8] = b"ERMSTATC";
const VERSION: u32 = 1;
const HASHED_HEAD: usize = 32;
const HEADER: usize = 64;
const MAX_DIMENSIONS: usize = 16_000;

/// Where the parts of a file lie, each checked to be inside it.
pub(super) struct Layout<'a> {
    pub(super) dimensions: usize,
    pub(super) content_hash: &'a [u8],
    pub(super) name: &'a str,
    pub(super) token_lengths: &'a [u8],
    pub(super) vocabulary: &'a str,
    pub(super) scales: Vec<f32>,
    /// Where the rows begin; they go on to the end of the file.
    pub(super) rows_at: usize,
}

/// Reads the header and finds the parts.
pub(super) fn parse(bytes: &[u8]) -> Result<Layout<'_>, ModelError> {
    let mut reader = Reader {
        rest: bytes,
        size: bytes.len(),
    };
    if reader
        .take(MAGIC.len())
        .map_err(|_| ModelError::NotAModel)?
        != MAGIC
    {
        return Err(ModelError::NotAModel);
    }
    let version = reader.u32()?;
    if version != VERSION {
        return Err(ModelError::Version {
            found: version,
            supported: VERSION,
        });
    }
    let dimensions = reader.length()?;
    let tokens = reader.length()?;
    let name = reader.length()?;
    let vocabulary = reader.length()?;
    if reader.u32()? != 0 {
        return Err(ModelError::Malformed("the reserved field is not 0"));
    }
    if dimensions == 0 || dimensions > MAX_DIMENSIONS {
        return Err(ModelError::Malformed(
            "the dimensions are not between 1 and 16,000",
        ));
    }
    if tokens == 0 {
        return Err(ModelError::Malformed("there are no tokens"));
    }
    let expected = expected_size(dimensions, tokens, name, vocabulary)
        .ok_or(ModelError::Malformed("the sizes in the header overflow"))?;
    if expected != bytes.len() {
        return Err(ModelError::Size {
            found: bytes.len(),
            expected,
        });
    }
    let content_hash = reader.take(HEADER - HASHED_HEAD)?;
    let name = text(reader.take(name)?)?;
    let token_lengths = reader.take(tokens)?;
    let vocabulary = text(reader.take(vocabulary)?)?;
    let scales = scales(reader.take(tokens * 4)?)?;
    let rows_at = bytes.len() - reader.rest.len();
    Ok(Layout {
        dimensions,
        content_hash,
        name,
        token_lengths,
        vocabulary,
        scales,
        rows_at,
    })
}

/// Compares the content hash with the content: every byte of the file but the hash itself counts.
pub(super) fn verify(bytes: &[u8], content_hash: &[u8]) -> Result<(), ModelError> {
    let (Some(head), Some(body)) = (bytes.get(..HASHED_HEAD), bytes.get(HEADER..)) else {
        return Err(ModelError::NotAModel);
    };
    let actual = Sha256::new()
        .chain_update(head)
        .chain_update(body)
        .finalize();
    if actual.as_slice() == content_hash {
        Ok(())
    } else {
        Err(ModelError::Hash)
    }
}

fn expected_size(
    dimensions: usize,
    tokens: usize,
    name: usize,
    vocabulary: usize,
) -> Option<usize> {
    // Per token: a length, a scale and a row.
    let tokens = tokens.checked_mul(dimensions.checked_add(5)?)?;
    HEADER
        .checked_add(name)?
        .checked_add(vocabulary)?
        .checked_add(tokens)
}

fn text(bytes: &[u8]) -> Result<&str, ModelError> {
    std::str::from_utf8(bytes)
        .map_err(|_| ModelError::Malformed("the name or the vocabulary is not UTF-8"))
}

fn scales(bytes: &[u8]) -> Result<Vec<f32>, ModelError> {
    let (each, _) = bytes.as_chunks::<4>();
    let scales: Vec<f32> = each.iter().map(|b| f32::from_le_bytes(*b)).collect();
    if scales.iter().all(|s| s.is_finite() && *s >= 0.0) {
        Ok(scales)
    } else {
        Err(ModelError::Malformed("a scale is negative or not finite"))
    }
}

struct Reader<'a> {
    rest: &'a [u8],
    size: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], ModelError> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(ModelError::Size {
            found: self.size,
            expected: HEADER.max(self.size + 1),
        })?;
        self.rest = rest;
        Ok(taken)
    }

    fn u32(&mut self) -> Result<u32, ModelError> {
        let bytes = self.take(4)?;
        Ok(bytes.iter().rev().fold(0, |n, b| n << 8 | u32::from(*b)))
    }

    fn length(&mut self) -> Result<usize, ModelError> {
        usize::try_from(self.u32()?)
            .map_err(|_| ModelError::Malformed("a size does not fit this machine"))
    }
}
