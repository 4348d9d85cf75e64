//! How a reader says which commit it must see.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Error, ErrorKind};

/// Proof of a commit, to be shown to a later search (`at_least`). Opaque; its
/// text form survives a cookie or a header.
///
/// ```
/// use ermine_core::Token;
/// let token = Token::at(42);
/// assert_eq!(token.to_string().parse::<Token>()?, token);
/// # Ok::<(), ermine_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Token(u64);

impl Token {
    /// The token of a store's commit number. For stores; what the number means is theirs.
    pub fn at(commit: u64) -> Self {
        Self(commit)
    }

    /// The store's commit number.
    pub fn commit(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "c{}", self.0)
    }
}

impl FromStr for Token {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        text.strip_prefix('c')
            .and_then(|number| number.parse().ok())
            .map(Self)
            .ok_or_else(|| {
                Error::new(
                    ErrorKind::InvalidValue,
                    format!("{text:?} is not a token that a commit returned"),
                )
            })
    }
}
