//! Ranking by BM25 (rule T12), and the documents that a query excludes (rule T7).

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use ermine_core::{
    DeletedScope, EmptyLeg, Error, ErrorKind, FilterPlace, LegKind, LegOutcome, Matching, Page,
    Result, ScopedId, Score, Target, TextLeg, by_score,
};
use ermine_sql::{Postgres as Dialect, Sql, push_target};
use ermine_text::{Holder, Liveness, SearchPlan, TermIndex};
use futures_util::future::try_join_all;
use tokio_postgres::Client;
use tokio_postgres::types::Type;

use super::index;
use crate::bind::Bound;
use crate::error::{Doing, storage};
use crate::layout::{Layout, TextTables};
use crate::rank::Ranked;
use crate::read::key;

/// How many candidates the filter is asked about at first, beyond those wanted.
const SPARE: usize = 32;

/// A text leg, with what the index holds of its terms.
pub(crate) struct TextScan<'a> {
    client: &'a Client,
    layout: &'a Layout,
    text: &'a TextTables,
    target: &'a Target,
    plan: SearchPlan,
    /// One per tenant in scope.
    indexes: Vec<TermIndex>,
    /// The candidates in scope that pass the filter: a statement up to its last condition.
    allowed: Sql,
}

impl<'a> TextScan<'a> {
    /// Reads the index. Nothing is read of terms where the query has none.
    pub(crate) async fn new(
        client: &'a Client,
        layout: &'a Layout,
        target: &'a Target,
        leg: &TextLeg,
    ) -> Result<Self> {
        let Some(text) = &layout.text else {
            return Err(Error::new(
                ErrorKind::NotIndexed,
                format!("`{}` declares no text field", layout.schema),
            ));
        };
        // Built first, so that a filter nobody knows is refused.
        let mut allowed = Sql::new(&Dialect);
        allowed.push(format!(
            "SELECT d.doc, d.tenant, d.id FROM {} AS d WHERE ",
            layout.tables.documents
        ));
        push_target(&mut allowed, target)?;
        allowed.push(format!(" AND d.doc = ANY(${})", allowed.values().len() + 1));
        let plan = plan(layout, leg)?;
        let mut indexes = Vec::new();
        if !plan.terms().is_empty() {
            let fields = layout.schema.text().len();
            let tenants = index::tenants(client, text, &target.scope.tenants).await?;
            let read = |tenant| index::read(client, text, fields, tenant, plan.terms());
            indexes = try_join_all(tenants.iter().map(|tenant| read(tenant))).await?;
        }
        Ok(Self {
            client,
            layout,
            text,
            target,
            plan,
            indexes,
            allowed,
        })
    }

    /// The page of documents that answer the query best.
    pub(crate) async fn rank(
        &self,
        leg: &TextLeg,
        min_score: Option<Score>,
        page: Page,
    ) -> Result<(Vec<Ranked<Score>>, LegOutcome)> {
        let kind = LegKind::Text;
        let unasked = (page.limit == 0).then_some(EmptyLeg::NothingAsked);
        if let Some(why) = leg.query.is_empty().or(unasked) {
            return Ok((Vec::new(), LegOutcome::empty(kind, why)));
        }
        let mut candidates = Vec::new();
        for index in &self.indexes {
            // Each tenant's documents are scored by its own statistics.
            let scorer = self.plan.scorer(index).map_err(|e| {
                Error::new(
                    ErrorKind::InvalidOption,
                    "the column weights cannot be used",
                )
                .with_source(e)
            })?;
            self.for_each(index, |holder| {
                if self.is_in_sight(&holder)
                    && let Some(score) = self.plan.score(&scorer, &holder)
                    && let Some(score) = Score::new(score)
                    && min_score.is_none_or(|floor| score >= floor)
                {
                    candidates.push((holder.doc, score));
                }
            })?;
        }
        let ranked = self.best(candidates, page).await?;
        let place = match self.target.filter {
            Some(_) => FilterPlace::DuringScan,
            None => FilterPlace::None,
        };
        let read = self.indexes.iter().map(TermIndex::read).sum();
        let outcome = LegOutcome::exact(kind, place, read, ranked.len());
        Ok((ranked, outcome))
    }

    /// The documents in scope that the query excludes.
    pub(crate) fn excluded(&self) -> Result<HashSet<i64>> {
        let mut excluded = HashSet::new();
        for index in &self.indexes {
            self.for_each(index, |holder| {
                if self.plan.excludes(&holder) {
                    excluded.insert(holder.doc);
                }
            })?;
        }
        Ok(excluded)
    }

    fn for_each(&self, index: &TermIndex, mut visit: impl FnMut(Holder<'_>)) -> Result<()> {
        index
            .for_each(|holder| {
                visit(holder);
                ControlFlow::<()>::Continue(())
            })
            .map(drop)
            .map_err(|(doc, error)| index::damaged(self.text, doc, error))
    }

    /// What the index itself knows of the scope.
    fn is_in_sight(&self, holder: &Holder<'_>) -> bool {
        match self.target.scope.deleted {
            DeletedScope::Hidden => holder.liveness == Liveness::Live,
            DeletedScope::Only => holder.liveness == Liveness::Hidden,
            DeletedScope::Included => true,
        }
    }

    /// The page of the candidates that pass the filter: score, then tenant, then id.
    ///
    /// The filter is asked about the best first; where it lets too few through, about
    /// more of them each time.
    async fn best(
        &self,
        mut candidates: Vec<(i64, Score)>,
        page: Page,
    ) -> Result<Vec<Ranked<Score>>> {
        candidates.sort_unstable_by_key(|(_, score)| std::cmp::Reverse(*score));
        let mut ranked: Vec<Ranked<Score>> = Vec::new();
        let mut rest = candidates.as_slice();
        let mut wanted = page.end().saturating_add(SPARE);
        while !rest.is_empty() && ranked.len() < page.end() {
            let mut end = wanted.min(rest.len());
            // Ties are ordered by id, so none is cut in two.
            if let Some((_, last)) = end.checked_sub(1).and_then(|last| rest.get(last)) {
                end += rest.iter().skip(end).take_while(|(_, s)| s == last).count();
            }
            let (asked, later) = rest.split_at(end);
            let keys = self.allowed(asked).await?;
            ranked.extend(asked.iter().filter_map(|(doc, score)| {
                let key = keys.get(doc)?.clone();
                Some(Ranked {
                    doc: *doc,
                    key,
                    figure: *score,
                })
            }));
            rest = later;
            wanted = wanted.saturating_mul(8);
        }
        ranked.sort_unstable_by(|a, b| by_score((a.figure, &a.key), (b.figure, &b.key)));
        Ok(page.of(ranked))
    }

    async fn allowed(&self, candidates: &[(i64, Score)]) -> Result<HashMap<i64, ScopedId>> {
        let docs: Vec<i64> = candidates.iter().map(|(doc, _)| *doc).collect();
        let bound = Bound::of(&self.allowed);
        let mut values = bound.values();
        values.push((&docs, Type::INT8_ARRAY));
        let failed = || storage(Doing("searching the text of", &self.text.schema));
        let rows = self
            .client
            .query_typed(self.allowed.text(), &values)
            .await
            .map_err(failed())?;
        rows.iter()
            .map(|row| Ok((row.try_get(0).map_err(failed())?, key(self.layout, row)?)))
            .collect()
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
                format!("the PostgreSQL store does not know the way of matching {other:?}"),
            ));
        }
    };
    let mut weights = vec![0.0; layout.schema.text().len()];
    for (field, weight) in leg.fields.iter().zip(&leg.weights) {
        if let Some(place) = weights.get_mut(*field) {
            *place = *weight;
        }
    }
    let scoring = query
        .terms
        .iter()
        .map(|term| (term.term.as_str(), term.count));
    Ok(SearchPlan::new(
        scoring,
        alternatives,
        &query.excluded,
        weights,
    ))
}
