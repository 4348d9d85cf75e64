//! How a reader says which commit it must see.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Error, ErrorKind, Position};

/// Proof of a commit, to be shown to a later search (`at_least`). Opaque; its
/// text form survives a cookie or a header.
///
/// ```
/// use ermine_core::{Position, Token};
/// let token = Token::at(42).with_position(Some(Position::at(7)));
/// assert_eq!(token.to_string().parse::<Token>()?, token);
/// # Ok::<(), ermine_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Token {
    commit: u64,
    /// The last event of the unit, where it had any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    position: Option<Position>,
}

impl Token {
    /// The token of a store's commit number. For stores; what the number means is theirs.
    pub fn at(commit: u64) -> Self {
        Self {
            commit,
            position: None,
        }
    }

    /// The token of a commit whose last event is at `position`.
    #[must_use]
    pub fn with_position(mut self, position: Option<Position>) -> Self {
        self.position = position;
        self
    }

    /// The position of the unit's last event, where it had any: what projections
    /// must have reached to show it.
    pub fn position(self) -> Option<Position> {
        self.position
    }

    /// The store's commit number.
    pub fn commit(self) -> u64 {
        self.commit
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "c{}", self.commit)?;
        match self.position {
            Some(position) => write!(f, "p{position}"),
            None => Ok(()),
        }
    }
}

impl FromStr for Token {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let read = || {
            let numbers = text.strip_prefix('c')?;
            let (commit, position) = match numbers.split_once('p') {
                Some((commit, position)) => (commit, Some(Position::at(position.parse().ok()?))),
                None => (numbers, None),
            };
            Some(Self::at(commit.parse().ok()?).with_position(position))
        };
        read().ok_or_else(|| {
            Error::new(
                ErrorKind::InvalidValue,
                format!("{text:?} is not a token that a commit returned"),
            )
        })
    }
}
