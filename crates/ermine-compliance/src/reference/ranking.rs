//! The two rankings: every document in scope is scored, then all are sorted.

use std::collections::{BTreeMap, BTreeSet};

use ermine_core::{
    Distance, Error, ErrorKind, Matching, Result, ScopedId, Score, Target, TenantId, TenantScope,
    TextLeg, TextQuery, Vector, VectorLeg, by_distance, by_score,
};
use ermine_text::{ForwardRecord, Scorer, Statistics, TermStatistics};

use super::state::Collection;

impl Collection {
    /// Every match of a vector leg, closest first; those of `excluded` left out.
    pub(super) fn by_vector(
        &self,
        target: &Target,
        leg: &VectorLeg,
        excluded: &TextQuery,
    ) -> Result<Vec<(ScopedId, Distance)>> {
        let fields = target.schema.vectors();
        let mut matches = Vec::new();
        for (key, stored) in self.passing(target)? {
            if is_excluded(excluded, stored.text.as_ref()) {
                continue;
            }
            let bytes = fields.get(leg.field).and_then(|field| stored.vector(field));
            // Bytes that are no vector of the field's length, and those that have
            // no finite distance, are never returned (rule V6).
            let distance = bytes
                .and_then(Vector::from_le_bytes)
                .and_then(|vector| leg.metric.distance(vector.as_slice(), leg.query.as_slice()));
            match (distance, leg.max_distance) {
                (Some(distance), Some(most)) if distance > most => {}
                (Some(distance), _) => matches.push((key.clone(), distance)),
                (None, _) => {}
            }
        }
        matches.sort_by(|(a, x), (b, y)| by_distance((*x, a), (*y, b)));
        Ok(matches)
    }

    /// Every match of a text leg, best first.
    pub(super) fn by_text(&self, target: &Target, leg: &TextLeg) -> Result<Vec<(ScopedId, Score)>> {
        let weights = weights(target, leg);
        let query = &leg.query;
        let mut scorers = BTreeMap::new();
        let mut matches = Vec::new();
        for (key, stored) in self.passing(target)? {
            let Some(record) = &stored.text else { continue };
            let holds = |term: &str| {
                let counts = record.counts(term).unwrap_or_default();
                counts
                    .iter()
                    .zip(&weights)
                    .any(|(count, weight)| *count > 0 && *weight > 0.0)
            };
            if !matched(query, holds) || is_excluded(query, Some(record)) {
                continue;
            }
            if !scorers.contains_key(&key.0) {
                scorers.insert(&key.0, self.scorer(&key.0, query, &weights)?);
            }
            let counts: Vec<&[u32]> = query
                .terms
                .iter()
                .map(|query| record.counts(&query.term).unwrap_or_default())
                .collect();
            let score = scorers
                .get(&key.0)
                .and_then(|scorer| scorer.score(record.len(), &counts))
                .and_then(Score::new);
            matches.extend(score.map(|score| (key.clone(), score)));
        }
        matches.sort_by(|(a, x), (b, y)| by_score((*x, a), (*y, b)));
        Ok(matches)
    }

    /// BM25 over the live documents of one tenant, counted now (rule T12).
    fn scorer(
        &self,
        tenant: &Option<TenantId>,
        query: &TextQuery,
        weights: &[f64],
    ) -> Result<Scorer> {
        let tenants = tenant
            .clone()
            .map_or(TenantScope::Untenanted, TenantScope::One);
        let live: Vec<_> = self
            .of_tenants(&tenants)
            .filter(|(_, stored)| !stored.deleted)
            .collect();
        let records: Vec<_> = live
            .iter()
            .filter_map(|(_, stored)| stored.text.as_ref())
            .collect();
        let statistics = Statistics {
            documents: live.len() as u64,
            total_len: records.iter().map(|record| record.len()).sum(),
        };
        let terms: Vec<_> = query
            .terms
            .iter()
            .map(|query| TermStatistics {
                df: records
                    .iter()
                    .filter(|record| record.get(&query.term).is_some())
                    .count() as u64,
                count: query.count,
            })
            .collect();
        Scorer::new(statistics, &terms, weights).map_err(|problem| {
            Error::new(
                ErrorKind::InvalidOption,
                "the column weights cannot be used",
            )
            .with_source(problem)
        })
    }
}

/// The weight of each declared text field; 0 for those the leg does not search.
fn weights(target: &Target, leg: &TextLeg) -> Vec<f64> {
    let mut weights = vec![0.0; target.schema.text().len()];
    for (field, weight) in leg.fields.iter().zip(&leg.weights) {
        if let Some(place) = weights.get_mut(*field) {
            *place = *weight;
        }
    }
    weights
}

fn matched(query: &TextQuery, holds: impl Fn(&str) -> bool) -> bool {
    match &query.matching {
        Matching::Alternatives(alternatives) => alternatives
            .iter()
            .any(|terms| terms.iter().all(|term| holds(term))),
        // Any; a way of matching that is added later is any until it is written here.
        _ => query.terms.iter().any(|query| holds(&query.term)),
    }
}

/// Whether any text field of a document, searched or not, makes up an exclusion (rule T7).
fn is_excluded(query: &TextQuery, record: Option<&ForwardRecord>) -> bool {
    let Some(record) = record else { return false };
    let terms: BTreeSet<&str> = record.terms().iter().map(|term| term.term()).collect();
    query
        .excluded
        .iter()
        .any(|group| group.iter().all(|term| terms.contains(term.as_str())))
}
