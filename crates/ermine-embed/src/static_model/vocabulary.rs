//! Finding the longest known piece of a word.

use std::borrow::Cow;

use super::ModelError;
use crate::wordpiece::Pieces;

const FREE: u32 = u32::MAX;
const CONTINUATION: &str = "##";
/// A longer token is refused; real vocabularies stop well below.
const MAX_TOKEN: usize = 64;

/// The tokens of a model, by number, and an open-addressing hash table over them.
///
/// The tokens stay in the file's bytes; the table holds numbers only, so loading allocates no string.
/// FNV-1a is used because the hash of every prefix of a word falls out of one pass over it.
pub(super) struct Vocabulary {
    text: Cow<'static, str>,
    /// Where each token begins in `text`, and the end of the last.
    starts: Vec<u32>,
    slots: Vec<u32>,
    longest: usize,
}

impl Vocabulary {
    pub(super) fn new(text: Cow<'static, str>, lengths: &[u8]) -> Result<Self, ModelError> {
        let mut starts = Vec::with_capacity(lengths.len() + 1);
        let mut end = 0_usize;
        for &length in lengths {
            let start = u32::try_from(end)
                .map_err(|_| ModelError::Malformed("the vocabulary is too long"))?;
            starts.push(start);
            end += usize::from(length);
            if length == 0 || usize::from(length) > MAX_TOKEN || !text.is_char_boundary(end) {
                return Err(ModelError::Malformed("a token's length is wrong"));
            }
        }
        if end != text.len() {
            return Err(ModelError::Malformed(
                "the tokens do not fill the vocabulary",
            ));
        }
        starts.push(
            u32::try_from(end).map_err(|_| ModelError::Malformed("the vocabulary is too long"))?,
        );
        let mut vocabulary = Self {
            text,
            starts,
            slots: vec![FREE; (lengths.len() * 2).next_power_of_two()],
            longest: lengths.iter().copied().max().map_or(0, usize::from),
        };
        vocabulary.fill(lengths.len())?;
        Ok(vocabulary)
    }

    fn fill(&mut self, tokens: usize) -> Result<(), ModelError> {
        for number in 0..tokens {
            let number = u32::try_from(number)
                .map_err(|_| ModelError::Malformed("there are too many tokens"))?;
            let token = self.token(number).unwrap_or_default();
            let slot = match self.find(fnv(FNV_START, token.as_bytes()), |known| known == token) {
                Ok(_) => return Err(ModelError::Malformed("a token is there twice")),
                Err(free) => free,
            };
            if let Some(slot) = self.slots.get_mut(slot) {
                *slot = number;
            }
        }
        Ok(())
    }

    /// The text of a token.
    pub(super) fn token(&self, number: u32) -> Option<&str> {
        let at = usize::try_from(number).ok()?;
        let start = usize::try_from(*self.starts.get(at)?).ok()?;
        let end = usize::try_from(*self.starts.get(at + 1)?).ok()?;
        self.text.get(start..end)
    }

    /// The token with this hash that satisfies `is_it`, or the slot where it would go.
    fn find(&self, hash: u64, is_it: impl Fn(&str) -> bool) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        // Half of the slots are free, so the walk ends.
        let mut slot = fold(hash) & mask;
        loop {
            match self.slots.get(slot) {
                None | Some(&FREE) => return Err(slot),
                Some(&number) if self.token(number).is_some_and(&is_it) => return Ok(number),
                Some(_) => slot = (slot + 1) & mask,
            }
        }
    }
}

impl Pieces for Vocabulary {
    fn longest_prefix(&self, rest: &str, continues: bool) -> Option<(u32, usize)> {
        let mark = if continues { CONTINUATION } else { "" };
        let mut hashes = [0_u64; MAX_TOKEN];
        let mut hash = fnv(FNV_START, mark.as_bytes());
        let reach = rest.len().min(self.longest.saturating_sub(mark.len()));
        for (byte, slot) in rest.bytes().take(reach).zip(&mut hashes) {
            hash = fnv(hash, &[byte]);
            *slot = hash;
        }
        (1..=reach).rev().find_map(|length| {
            let prefix = rest.get(..length)?;
            let is_it = |known: &str| known.strip_prefix(mark) == Some(prefix);
            let number = self.find(*hashes.get(length - 1)?, is_it).ok()?;
            Some((number, length))
        })
    }
}

const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, b| {
        (hash ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The high half has seen every byte; the lowest bits of FNV-1a have seen only the bytes' lowest bits.
fn fold(hash: u64) -> usize {
    usize::try_from((hash ^ (hash >> 32)) & 0xffff_ffff).unwrap_or(0)
}
