//! Ranking by BM25 (rule T12), and the documents that a query excludes (rule T7).

use std::collections::HashSet;

use ermine_core::{
    DeletedScope, EmptyLeg, Error, ErrorKind, FilterPlace, LegKind, LegOutcome, Matching, Page,
    Result, Scope, Score, Target, TenantScope, TextLeg, TextQuery, by_score,
};
use ermine_scan::DocSet;
use ermine_text::{Scorer, TermStatistics};
use rusqlite::Connection;

use super::documents::Holder;
use super::tenant::TenantIndex;
use crate::error::{Doing, storage};
use crate::layout::{Layout, TextTables};
use crate::rank::{Ranked, in_order};
use crate::read::row_set;

/// The page of documents that answer the query best.
pub(crate) fn rank(
    connection: &Connection,
    layout: &Layout,
    target: &Target,
    leg: &TextLeg,
    min_score: Option<Score>,
    page: Page,
) -> Result<(Vec<Ranked<Score>>, LegOutcome)> {
    let kind = LegKind::Text;
    // Built also where nothing is asked for, so that a filter nobody knows is refused.
    let docs = match target.filter {
        None => None,
        Some(_) => Some(row_set(connection, layout, target, &HashSet::new())?),
    };
    let unasked = (page.limit == 0).then_some(EmptyLeg::NothingAsked);
    if let Some(why) = leg.query.is_empty().or(unasked) {
        return Ok((Vec::new(), LegOutcome::empty(kind, why)));
    }
    let text = tables(layout)?;
    let query = Query::new(leg, layout)?;
    let fields = layout.schema.text().len();
    let mut candidates = Vec::new();
    let mut read = 0;
    // Each tenant's documents are scored by its own statistics.
    for tenant in tenants(connection, text, &target.scope)? {
        let index = TenantIndex::read(connection, text, &tenant, &query.terms, fields)?;
        read += index.read;
        let scorer = query.scorer(&index)?;
        index.for_each(text, fields, |holder| {
            if is_allowed(&holder, docs.as_ref(), target.scope.deleted)
                && let Some(score) = query.score(&scorer, &holder)
                && min_score.is_none_or(|floor| score >= floor)
            {
                candidates.push((holder.doc, score));
            }
        })?;
    }
    let ranked = in_order(connection, layout, candidates, page, by_score)?;
    let place = if docs.is_some() {
        FilterPlace::BeforeScan
    } else {
        FilterPlace::None
    };
    let outcome = LegOutcome::exact(kind, place, read, ranked.len());
    Ok((ranked, outcome))
}

/// The documents in scope that a query excludes.
pub(crate) fn excluded(
    connection: &Connection,
    layout: &Layout,
    scope: &Scope,
    query: &TextQuery,
) -> Result<HashSet<i64>> {
    let mut excluded = HashSet::new();
    if query.excluded.is_empty() {
        return Ok(excluded);
    }
    let text = tables(layout)?;
    let terms = sorted(query.excluded.iter().flatten());
    let groups = Groups::new(&query.excluded, &terms);
    let fields = layout.schema.text().len();
    for tenant in tenants(connection, text, scope)? {
        let index = TenantIndex::read(connection, text, &tenant, &terms, fields)?;
        index.for_each(text, fields, |holder| {
            if groups.any_is_held(|term| holds(&holder, term)) {
                excluded.insert(holder.doc);
            }
        })?;
    }
    Ok(excluded)
}

fn tables(layout: &Layout) -> Result<&TextTables> {
    layout.text.as_ref().ok_or_else(|| {
        Error::new(
            ErrorKind::NotIndexed,
            format!("`{}` declares no text field", layout.schema),
        )
    })
}

/// A filter's rows are in scope already; without one, only `deleted` is left to judge.
fn is_allowed(holder: &Holder<'_>, docs: Option<&DocSet>, deleted: DeletedScope) -> bool {
    match (docs, deleted) {
        (Some(docs), _) => docs.contains(holder.doc),
        (None, DeletedScope::Hidden) => holder.live,
        (None, DeletedScope::Only) => !holder.live,
        (None, DeletedScope::Included) => true,
    }
}

/// Whether any field holds a term, searched or not.
fn holds(holder: &Holder<'_>, term: usize) -> bool {
    !holder.counts(term).is_empty()
}

/// The stored tenants a search looks at.
fn tenants(connection: &Connection, text: &TextTables, scope: &Scope) -> Result<Vec<String>> {
    match &scope.tenants {
        TenantScope::Untenanted => Ok(vec![String::new()]),
        TenantScope::One(tenant) => Ok(vec![tenant.as_str().to_owned()]),
        TenantScope::All => connection
            .prepare_cached(&format!(
                "SELECT tenant FROM {} UNION SELECT tenant FROM {} WHERE seg IS NULL",
                text.segments, text.records
            ))
            .and_then(|mut statement| statement.query_map([], |row| row.get(0))?.collect())
            .map_err(storage(Doing("listing the tenants of", &text.schema))),
    }
}

fn sorted<'a>(terms: impl IntoIterator<Item = &'a String>) -> Vec<&'a str> {
    let mut terms: Vec<&str> = terms.into_iter().map(String::as_str).collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// A query whose terms are places in one sorted list.
struct Query<'a> {
    query: &'a TextQuery,
    terms: Vec<&'a str>,
    /// For each scoring term, its place in `terms`.
    scoring: Vec<usize>,
    alternatives: Option<Groups>,
    excluded: Groups,
    /// For each declared field, how much it counts.
    weights: Vec<f64>,
}

impl<'a> Query<'a> {
    fn new(leg: &'a TextLeg, layout: &Layout) -> Result<Self> {
        let query = &leg.query;
        let alternatives = match &query.matching {
            Matching::Any => None,
            Matching::Alternatives(alternatives) => Some(alternatives),
            other => {
                return Err(Error::new(
                    ErrorKind::Unsupported,
                    format!("the SQLite store does not know the way of matching {other:?}"),
                ));
            }
        };
        let scoring = query.terms.iter().map(|scoring| &scoring.term);
        let terms = sorted(
            scoring
                .clone()
                .chain(query.excluded.iter().flatten())
                .chain(alternatives.into_iter().flatten().flatten()),
        );
        let mut weights = vec![0.0; layout.schema.text().len()];
        for (field, weight) in leg.fields.iter().zip(&leg.weights) {
            if let Some(place) = weights.get_mut(*field) {
                *place = *weight;
            }
        }
        Ok(Self {
            query,
            scoring: scoring.map(|term| place(&terms, term)).collect(),
            alternatives: alternatives.map(|groups| Groups::new(groups, &terms)),
            excluded: Groups::new(&query.excluded, &terms),
            terms,
            weights,
        })
    }

    fn scorer(&self, index: &TenantIndex) -> Result<Scorer> {
        let terms: Vec<TermStatistics> = self
            .query
            .terms
            .iter()
            .zip(&self.scoring)
            .map(|(query, at)| TermStatistics {
                df: index.df.get(*at).copied().unwrap_or(0),
                count: query.count,
            })
            .collect();
        Scorer::new(index.statistics, &terms, &self.weights).map_err(|e| {
            Error::new(
                ErrorKind::InvalidOption,
                "the column weights cannot be used",
            )
            .with_source(e)
        })
    }

    /// The score of a document that matches and is not excluded.
    fn score(&self, scorer: &Scorer, holder: &Holder<'_>) -> Option<Score> {
        if let Some(alternatives) = &self.alternatives
            && !alternatives.any_is_held(|term| scorer.holds(holder.counts(term)))
        {
            return None;
        }
        if self.excluded.any_is_held(|term| holds(holder, term)) {
            return None;
        }
        let counts = self.scoring.iter().map(|term| holder.counts(*term));
        scorer.score(holder.len, counts).and_then(Score::new)
    }
}

/// Sets of terms, as places in a sorted list.
struct Groups(Vec<Vec<usize>>);

impl Groups {
    fn new(groups: &[Vec<String>], terms: &[&str]) -> Self {
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
fn place(terms: &[&str], term: &str) -> usize {
    terms.binary_search(&term).unwrap_or(usize::MAX)
}
