//! BM25: the one scoring function of every store.
//!
//! Robertson and Zaragoza, *The Probabilistic Relevance Framework: BM25 and Beyond*, Foundations and Trends in
//! Information Retrieval 3 (4), 2009, with fields combined before saturation as in their BM25F; rule T12 settles what
//! the paper leaves open.

use crate::TextError;

/// How fast repeated occurrences stop counting.
pub const K1: f64 = 1.2;

/// How much a document's length counts: 0 not at all, 1 in full.
pub const B: f64 = 0.75;

/// Beyond this weighted count a contribution is at its limit to the last bit, and huge weights cannot overflow.
const MAX_TF: f64 = 1e290;

/// What a tenant's live documents add up to (rule T12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// How many live documents there are: N. Those without text count.
    pub documents: u64,
    /// The sum of their lengths in terms.
    pub total_len: u64,
}

/// One term of a query, as the [`Scorer`] needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TermStatistics {
    /// In how many live documents of the tenant *any* text field holds the term: n. The same whichever fields are searched.
    pub df: u64,
    /// How often the analysed query holds the term: q.
    pub count: u32,
}

/// Scores documents for one query, statistics and set of weights.
///
/// Every result is equal to the bit on every machine: the order of operations is fixed, only basic f64 operations are
/// used, and the logarithm is `libm`'s own code rather than the platform's, whose last bit differs between systems.
///
/// ```
/// use ermine_text::{Scorer, Statistics, TermStatistics};
///
/// // Three documents of 2, 3 and 1 terms; the query's one term is in one of them, once.
/// let statistics = Statistics { documents: 3, total_len: 6 };
/// let scorer = Scorer::new(statistics, &[TermStatistics { df: 1, count: 1 }], &[1.0])?;
/// let score = scorer.score(2, &[[1]]).unwrap();
/// assert!((score - (1.0f64 + 2.5 / 1.5).ln()).abs() < 1e-12);
/// assert_eq!(scorer.score(3, &[[0]]), None);
/// # Ok::<(), ermine_text::TextError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Scorer {
    /// q · idf per term.
    factors: Vec<f64>,
    weights: Vec<f64>,
    average: f64,
}

impl Scorer {
    /// A scorer for terms in the sorted order of [`ParsedQuery::terms`](crate::ParsedQuery::terms).
    ///
    /// `weights` has one weight per text field in the order of declaration; 0 leaves a field out, and so do fields
    /// beyond the end of the list.
    ///
    /// # Errors
    ///
    /// [`TextError::Weight`] if a weight is negative or not finite.
    pub fn new(
        statistics: Statistics,
        terms: &[TermStatistics],
        weights: &[f64],
    ) -> Result<Self, TextError> {
        let bad = weights
            .iter()
            .position(|weight| !weight.is_finite() || *weight < 0.0);
        if let Some(field) = bad {
            let weight = weights.get(field).copied().unwrap_or(f64::NAN);
            return Err(TextError::Weight { field, weight });
        }
        let factors = terms
            .iter()
            .map(|term| f64::from(term.count) * idf(statistics.documents, term.df))
            .collect();
        let average = if statistics.documents == 0 {
            0.0
        } else {
            statistics.total_len as f64 / statistics.documents as f64
        };
        Ok(Self {
            factors,
            weights: weights.to_vec(),
            average,
        })
    }

    /// The score of a document of `len` terms, larger is better; `None` if no searched field holds any of the terms.
    ///
    /// `counts` has, for each term in the order given to [`Scorer::new`], the occurrences per text field in the order of
    /// declaration; an empty list is a term that the document lacks. Whether the document satisfies an all-of query is
    /// for [`ParsedQuery::matches`](crate::ParsedQuery::matches) to tell.
    pub fn score<C: AsRef<[u32]>>(
        &self,
        len: u64,
        counts: impl IntoIterator<Item = C>,
    ) -> Option<f64> {
        let norm = self.norm(len);
        let mut score = None;
        for (factor, counts) in self.factors.iter().zip(counts) {
            if let Some(part) = self.part(*factor, norm, counts.as_ref()) {
                score = Some(score.unwrap_or(0.0) + part);
            }
        }
        score
    }

    /// What one term adds to the score of a document; `None` if no searched field holds it.
    pub fn contribution(&self, term: usize, len: u64, counts: &[u32]) -> Option<f64> {
        self.part(*self.factors.get(term)?, self.norm(len), counts)
    }

    fn part(&self, factor: f64, norm: f64, counts: &[u32]) -> Option<f64> {
        let tf = self.weighted_count(counts);
        (tf > 0.0).then(|| factor * tf * (K1 + 1.0) / (tf + norm))
    }

    /// How much a document of this length damps its counts.
    fn norm(&self, len: u64) -> f64 {
        K1 * (1.0 - B + B * self.relative_len(len))
    }

    /// Whether a searched field of weight above 0 holds a term with these counts: what matching asks.
    pub fn holds(&self, counts: &[u32]) -> bool {
        self.weighted_count(counts) > 0.0
    }

    fn weighted_count(&self, counts: &[u32]) -> f64 {
        let mut tf = 0.0;
        for (weight, &count) in self.weights.iter().zip(counts) {
            tf += weight * f64::from(count);
        }
        f64::min(tf, MAX_TF)
    }

    fn relative_len(&self, len: u64) -> f64 {
        if self.average > 0.0 {
            len as f64 / self.average
        } else {
            1.0
        }
    }
}

/// The inverse document frequency of a term in `df` of `documents`: ln(1 + (N − n + 0.5) / (n + 0.5)).
///
/// A frequency beyond the number of documents counts as that number.
pub fn idf(documents: u64, df: u64) -> f64 {
    let n = df.min(documents) as f64;
    let documents = documents as f64;
    libm::log(1.0 + (documents - n + 0.5) / (n + 0.5))
}
