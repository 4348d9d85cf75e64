//! Places in the order of all events.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A place in the order of all events of a store. Readers that have seen a
/// position never find a committed event behind it (rule E5). There may be holes.
///
/// The first event's position is 1 or more, so [`START`](Self::START) lies before all.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Position(u64);

impl Position {
    /// Before the first event.
    pub const START: Self = Self(0);

    /// The position a store gave. For stores and those who keep positions.
    pub fn at(position: u64) -> Self {
        Self(position)
    }

    /// As a number.
    pub fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
