//! A query whose terms are places in one sorted list.

use super::{Holder, TermIndex};
use crate::{Scorer, TermStatistics, TextError};

/// What a query asks of each document: which terms score, which sets of terms it must hold one of, and which sets of
/// terms exclude it (rule T7).
#[derive(Debug, Clone)]
pub struct SearchPlan {
    terms: Vec<String>,
    /// The places of the terms that score, in the query's order, and how often it holds them.
    scoring: Vec<(usize, u32)>,
    alternatives: Option<Groups>,
    excluded: Groups,
    weights: Vec<f64>,
}

impl SearchPlan {
    /// A plan from the query's scoring terms with their counts, in sorted order; the alternatives, of which a document
    /// must hold all terms of one (`None` where any scoring term will do); the excluded sets; and a weight per text
    /// field, in the order of declaration, 0 for those that are not searched.
    pub fn new<'a>(
        scoring: impl IntoIterator<Item = (&'a str, u32)>,
        alternatives: Option<&[Vec<String>]>,
        excluded: &[Vec<String>],
        weights: Vec<f64>,
    ) -> Self {
        let scoring: Vec<(&str, u32)> = scoring.into_iter().collect();
        let mut terms: Vec<String> = scoring
            .iter()
            .map(|(term, _)| (*term).to_owned())
            .chain(alternatives.into_iter().flatten().flatten().cloned())
            .chain(excluded.iter().flatten().cloned())
            .collect();
        terms.sort_unstable();
        terms.dedup();
        Self {
            scoring: scoring
                .into_iter()
                .map(|(term, count)| (place(&terms, term), count))
                .collect(),
            alternatives: alternatives.map(|groups| Groups::new(groups, &terms)),
            excluded: Groups::new(excluded, &terms),
            terms,
            weights,
        }
    }

    /// Every term that has to be looked up, sorted and distinct.
    pub fn terms(&self) -> &[String] {
        &self.terms
    }

    /// The scorer for one tenant's documents.
    ///
    /// # Errors
    ///
    /// [`TextError::Weight`] if a weight is negative or not finite.
    pub fn scorer(&self, index: &TermIndex) -> Result<Scorer, TextError> {
        let terms: Vec<TermStatistics> = self
            .scoring
            .iter()
            .map(|&(term, count)| TermStatistics {
                df: index.df(term),
                count,
            })
            .collect();
        Scorer::new(index.statistics(), &terms, &self.weights)
    }

    /// The score of a document that matches and is not excluded.
    pub fn score(&self, scorer: &Scorer, holder: &Holder<'_>) -> Option<f64> {
        if let Some(alternatives) = &self.alternatives
            && !alternatives.any_is_held(|term| scorer.holds(holder.counts(term)))
        {
            return None;
        }
        if self.excludes(holder) {
            return None;
        }
        let counts = self.scoring.iter().map(|(term, _)| holder.counts(*term));
        scorer.score(holder.len, counts)
    }

    /// Whether a document holds all terms of an excluded set, in any field, searched or not.
    pub fn excludes(&self, holder: &Holder<'_>) -> bool {
        self.excluded
            .any_is_held(|term| !holder.counts(term).is_empty())
    }
}

/// Sets of terms, as places in a sorted list.
#[derive(Debug, Clone)]
struct Groups(Vec<Vec<usize>>);

impl Groups {
    fn new(groups: &[Vec<String>], terms: &[String]) -> Self {
        let places = |group: &Vec<String>| group.iter().map(|term| place(terms, term)).collect();
        Self(groups.iter().map(places).collect())
    }

    /// Whether all terms of one of the sets are held.
    fn any_is_held(&self, mut held: impl FnMut(usize) -> bool) -> bool {
        self.0
            .iter()
            .any(|group| group.iter().all(|term| held(*term)))
    }
}

/// The place of a term in the list that was made from it.
fn place(terms: &[String], term: &str) -> usize {
    terms
        .binary_search_by(|known| known.as_str().cmp(term))
        .unwrap_or(usize::MAX)
}
