//! Whether a search may miss near neighbours.

use serde::{Deserialize, Serialize};

/// Whether a vector search may answer from an approximate index (rule V10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Accuracy {
    /// It finds the nearest of all documents in scope. The default.
    #[default]
    Exact,
    /// It may miss near neighbours and return others that are further away; never
    /// fewer. The outcome says whether it did without comparing them all.
    Approximate,
}
