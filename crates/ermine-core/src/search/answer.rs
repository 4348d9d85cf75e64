//! What a search returns, and how it says it was found.

use crate::{Distance, Score, StoredRecord};

/// What a vector search found, closest first.
#[derive(Debug, Clone)]
pub struct VectorAnswer {
    /// The documents with their distances.
    pub hits: Vec<(StoredRecord, Distance)>,
    /// How they were found.
    pub outcome: LegOutcome,
}

/// What a text search found, best first.
#[derive(Debug, Clone)]
pub struct TextAnswer {
    /// The documents with their scores.
    pub hits: Vec<(StoredRecord, Score)>,
    /// How they were found.
    pub outcome: LegOutcome,
}

/// What a hybrid search found, best first.
#[derive(Debug, Clone)]
pub struct HybridAnswer {
    /// The documents with their fused scores.
    pub hits: Vec<HybridHit>,
    /// How each leg found its candidates: text, then vector.
    pub outcome: Outcome,
}

/// A match of a hybrid search.
#[derive(Debug, Clone)]
pub struct HybridHit {
    /// The document.
    pub record: StoredRecord,
    /// The fused score.
    pub score: Score,
    /// What each leg that found it contributed.
    pub legs: Vec<LegHit>,
}

/// What one leg of a fused search said of a match (rule T11).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LegHit {
    /// Which leg: its place in the request.
    pub leg: usize,
    /// What it ranks by.
    pub kind: LegKind,
    /// The 1-based rank.
    pub rank: usize,
    /// The raw figure: a distance or a score.
    pub figure: Figure,
    /// The leg's weight.
    pub weight: f64,
    /// weight / (k + rank).
    pub contribution: f64,
}

/// What a leg ranks by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LegKind {
    /// BM25.
    Text,
    /// Distance to a vector.
    Vector,
}

/// The raw figure a leg ranks by. The two kinds do not compare.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Figure {
    /// A text leg's score: larger is better.
    Score(Score),
    /// A vector leg's distance: smaller is closer.
    Distance(Distance),
}

/// How a search found what it found.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Outcome {
    /// One entry per leg, in the order of the request.
    pub legs: Vec<LegOutcome>,
}

impl Outcome {
    /// The outcome of these legs.
    pub fn of(legs: impl IntoIterator<Item = LegOutcome>) -> Self {
        Self {
            legs: legs.into_iter().collect(),
        }
    }

    /// Whether any leg was answered from an approximate index, so that it may have
    /// missed near neighbours (rule V10). A leg that was completed by the exact path
    /// was not.
    pub fn is_approximate(&self) -> bool {
        self.legs.iter().any(|leg| leg.plan == Plan::Approximate)
    }
}

/// How one leg found what it found (rule T11).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LegOutcome {
    /// What it ranked by.
    pub kind: LegKind,
    /// How candidates were found.
    pub plan: Plan,
    /// Where the filter ran.
    pub filter: FilterPlace,
    /// How many rows or postings were looked at.
    pub rows_read: u64,
    /// How many matches the leg returned, before fusion.
    pub returned: usize,
    /// Why it returned none, where it did.
    pub empty: Option<EmptyLeg>,
}

impl LegOutcome {
    /// The outcome of an exact leg that returned `returned` of `rows_read` rows.
    pub fn exact(kind: LegKind, filter: FilterPlace, rows_read: u64, returned: usize) -> Self {
        Self {
            kind,
            plan: Plan::Exact,
            filter,
            rows_read,
            returned,
            empty: (returned == 0).then_some(EmptyLeg::NoMatch),
        }
    }

    /// The outcome of a leg that read nothing, and why.
    pub fn empty(kind: LegKind, why: EmptyLeg) -> Self {
        Self {
            empty: Some(why),
            ..Self::exact(kind, FilterPlace::NotRun, 0, 0)
        }
    }
}

/// How a leg's candidates were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Plan {
    /// Every row in scope was scored.
    Exact,
    /// Codes thinned the rows out, with a bound that loses none; the rest was scored.
    CodedThenExact,
    /// An approximate index supplied the candidates; nearer documents may have been missed.
    Approximate,
    /// The rows that pass the filter were found first, being few, and all of them
    /// were scored: exact, where an approximate search was allowed.
    ExactOfFiltered,
    /// An approximate index came up short, so every row in scope was scored after
    /// all: exact, whatever the index had found.
    ApproximateThenExact,
}

/// Where a leg's filter ran. It always runs before the limit and the depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FilterPlace {
    /// There was no filter.
    None,
    /// The database found the rows that pass, and only those were scored.
    BeforeScan,
    /// Rows were tested as they were scored.
    DuringScan,
    /// The leg did not run.
    NotRun,
}

/// Why a leg returned nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EmptyLeg {
    /// The text holds no term after analysis.
    NoTerms,
    /// The text holds only exclusions.
    OnlyExclusions,
    /// The provider cannot represent the text.
    NotRepresentable,
    /// The leg's weight is 0.
    LeftOut,
    /// The limit is 0.
    NothingAsked,
    /// No document in scope matches.
    NoMatch,
}
