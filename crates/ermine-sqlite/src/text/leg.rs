//! Ranking by BM25 (rule T12), and the documents that a query excludes (rule T7).

use std::collections::HashSet;
use std::ops::ControlFlow;

use ermine_core::{
    DeletedScope, EmptyLeg, Error, ErrorKind, FilterPlace, LegKind, LegOutcome, Matching, Page,
    Result, Scope, Score, Target, TenantScope, TextLeg, TextQuery, by_score,
};
use ermine_scan::DocSet;
use ermine_text::{Holder, Liveness, SearchPlan, TermIndex};
use rusqlite::Connection;

use super::index;
use crate::error::{Doing, storage};
use crate::layout::{Layout, TextTables};
use crate::rank::{Ranked, in_order};
use crate::read::{Watch, row_set};

/// The page of documents that answer the query best.
pub(crate) fn rank(
    connection: &Connection,
    watch: &Watch,
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
    let plan = plan(layout, leg)?;
    let mut candidates = Vec::new();
    let mut read = 0;
    // Each tenant's documents are scored by its own statistics.
    for tenant in tenants(connection, text, &target.scope)? {
        let index = read_index(connection, layout, text, &tenant, plan.terms())?;
        read += index.read();
        let scorer = plan.scorer(&index).map_err(|e| {
            Error::new(
                ErrorKind::InvalidOption,
                "the column weights cannot be used",
            )
            .with_source(e)
        })?;
        for_each(watch, text, &index, |holder| {
            if is_allowed(&holder, docs.as_ref(), target.scope.deleted)
                && let Some(score) = plan.score(&scorer, &holder).and_then(Score::new)
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
    watch: &Watch,
    layout: &Layout,
    scope: &Scope,
    query: &TextQuery,
) -> Result<HashSet<i64>> {
    let mut excluded = HashSet::new();
    if query.excluded.is_empty() {
        return Ok(excluded);
    }
    let text = tables(layout)?;
    let plan = SearchPlan::new([], None, &query.excluded, Vec::new());
    for tenant in tenants(connection, text, scope)? {
        let index = read_index(connection, layout, text, &tenant, plan.terms())?;
        for_each(watch, text, &index, |holder| {
            if plan.excludes(&holder) {
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

fn read_index(
    connection: &Connection,
    layout: &Layout,
    text: &TextTables,
    tenant: &str,
    terms: &[String],
) -> Result<TermIndex> {
    index::read(connection, text, tenant, terms, layout.schema.text().len())
}

/// Walks over the documents that hold any of the terms, while the caller waits.
fn for_each(
    watch: &Watch,
    text: &TextTables,
    index: &TermIndex,
    mut visit: impl FnMut(Holder<'_>),
) -> Result<()> {
    let walked = index
        .for_each(|holder| {
            if watch.is_given_up() {
                return ControlFlow::Break(Watch::interrupted());
            }
            visit(holder);
            ControlFlow::Continue(())
        })
        .map_err(|(doc, error)| index::damaged(text, doc, error))?;
    match walked {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(interrupted) => Err(interrupted),
    }
}

/// A filter's rows are in scope already; without one, only `deleted` is left to judge.
fn is_allowed(holder: &Holder<'_>, docs: Option<&DocSet>, deleted: DeletedScope) -> bool {
    match (docs, deleted) {
        (Some(docs), _) => docs.contains(holder.doc),
        (None, DeletedScope::Hidden) => holder.liveness == Liveness::Live,
        (None, DeletedScope::Only) => holder.liveness == Liveness::Hidden,
        (None, DeletedScope::Included) => true,
    }
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

fn plan(layout: &Layout, leg: &TextLeg) -> Result<SearchPlan> {
    let query = &leg.query;
    let alternatives = match &query.matching {
        Matching::Any => None,
        Matching::Alternatives(alternatives) => Some(alternatives.as_slice()),
        other => {
            return Err(Error::new(
                ErrorKind::Unsupported,
                format!("the SQLite store does not know the way of matching {other:?}"),
            ));
        }
    };
    let mut weights = vec![0.0; layout.schema.text().len()];
    for (field, weight) in leg.fields.iter().zip(&leg.weights) {
        if let Some(place) = weights.get_mut(*field) {
            *place = *weight;
        }
    }
    let terms = query.terms.iter();
    let scoring = terms.map(|term| (term.term.as_str(), term.count));
    Ok(SearchPlan::new(
        scoring,
        alternatives,
        &query.excluded,
        weights,
    ))
}

#[cfg(test)]
mod tests;
