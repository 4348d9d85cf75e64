//! Ranking by distance.

use std::collections::HashSet;

use ermine_core::{
    Accuracy, DeletedScope, Distance, EmptyLeg, Error, ErrorKind, FilterPlace, LegKind, LegOutcome,
    Page, Plan, Result, Target, VectorLeg, by_distance,
};
use ermine_sql::{Postgres as Dialect, Sql, push_target};
use futures_util::future::try_join;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Row};

use super::approximate::{Found, Narrowed};
use super::margin::Margin;
use crate::bind::{Bound, VectorData, read_vector};
use crate::error::{Doing, storage};
use crate::extension::Extension;
use crate::layout::{Layout, VectorTable};
use crate::rank::Ranked;
use crate::read::key;

/// How many candidates are fetched at first beyond those asked for.
const SPARE: usize = 32;

/// The share of documents that pass from which on it costs less to look at the documents
/// of the nearest vectors alone than to join all that pass with their vectors.
const DOCUMENTS_LAST: f64 = 0.2;

/// The page of documents nearest to the query, those of `excluded` left out (rules V8, V9).
pub(crate) async fn rank(
    client: &Client,
    extension: &Extension,
    layout: &Layout,
    target: &Target,
    leg: &VectorLeg,
    page: Page,
    excluded: &HashSet<i64>,
) -> Result<(Vec<Ranked<Distance>>, LegOutcome)> {
    let kind = LegKind::Vector;
    // Built also where nothing is asked for, so that a filter nobody knows is refused.
    let scan = Scan::new(client, extension, layout, target, leg, excluded)?;
    if page.limit == 0 {
        return Ok((Vec::new(), LegOutcome::empty(kind, EmptyLeg::NothingAsked)));
    }
    let Found {
        mut candidates,
        read,
        plan,
    } = scan.find(page.end()).await?;
    candidates.sort_unstable_by(|a, b| by_distance((a.figure, &a.key), (b.figure, &b.key)));
    let ranked = page.of(candidates);
    let place = match (&target.filter, plan) {
        (None, _) => FilterPlace::None,
        (Some(_), Plan::ExactOfFiltered) => FilterPlace::BeforeScan,
        (Some(_), _) => FilterPlace::DuringScan,
    };
    let mut outcome = LegOutcome::exact(kind, place, read, ranked.len());
    outcome.plan = plan;
    Ok((ranked, outcome))
}

/// A search of a field's vectors.
pub(super) struct Scan<'a> {
    pub(super) client: &'a Client,
    pub(super) layout: &'a Layout,
    pub(super) leg: &'a VectorLeg,
    pub(super) margin: Margin,
    /// The condition of a document `d` that is in scope and passes the filter.
    pub(super) passes: Sql,
    /// Whether that narrows the documents down, as far as can be seen from here.
    pub(super) narrowed: Narrowed,
    /// Whether soft deletes leave nearly all, as far as can be seen from here.
    nearly_all_are_live: bool,
    excluded: Vec<i64>,
    vector: Type,
    pub(super) table: &'a VectorTable,
    pub(super) operator: String,
    /// The place of the query among a statement's values.
    pub(super) query: String,
    /// pgvector's distance of a row `v`.
    pub(super) figure: String,
    /// Writes the column given as the answer's fourth.
    pub(super) send: String,
}

impl<'a> Scan<'a> {
    pub(super) fn new(
        client: &'a Client,
        extension: &Extension,
        layout: &'a Layout,
        target: &Target,
        leg: &'a VectorLeg,
        excluded: &HashSet<i64>,
    ) -> Result<Self> {
        let Some(table) = layout.vectors.get(leg.field) else {
            return Err(Error::new(
                ErrorKind::UnknownField,
                format!(
                    "`{}` has no vector field number {}",
                    layout.schema, leg.field
                ),
            ));
        };
        let mut passes = Sql::new(&Dialect);
        push_target(&mut passes, target)?;
        let query = passes.values().len() + 1;
        if !excluded.is_empty() {
            passes.push(format!(" AND d.doc <> ALL(${})", query + 1));
        }
        let query = format!("${query}");
        let operator = extension.operator(leg.metric)?;
        Ok(Self {
            client,
            layout,
            leg,
            margin: Margin::new(leg.metric, &leg.query),
            passes,
            narrowed: Narrowed::of(target),
            nearly_all_are_live: target.scope.deleted != DeletedScope::Only,
            excluded: excluded.iter().copied().collect(),
            vector: extension.vector(),
            table,
            figure: format!("(v.data {operator} {query})"),
            operator,
            query,
            send: extension.named("vector_send"),
        })
    }

    /// All documents that are taken for the nearest `k`, or for near enough to be among
    /// them, with their distances.
    async fn find(&self, k: usize) -> Result<Found> {
        // Another metric than the declared one orders no index.
        let field = self.layout.schema.vectors().get(self.leg.field);
        let declared = field.is_some_and(|field| field.metric() == self.leg.metric);
        if let (Accuracy::Approximate, true, Some(Ok(index))) =
            (self.leg.accuracy, declared, &self.table.index)
            && index.can_hold(self.margin.query_norm())
        {
            return self.approximate(index, k).await;
        }
        self.exactly(k, Plan::Exact).await
    }

    pub(super) async fn exactly(&self, k: usize, plan: Plan) -> Result<Found> {
        let (candidates, read) = self.nearest(k).await?;
        Ok(Found {
            candidates,
            read,
            plan,
        })
    }

    /// All documents that can be among the nearest `k`, with their distances, and how
    /// many were compared.
    async fn nearest(&self, k: usize) -> Result<(Vec<Ranked<Distance>>, u64)> {
        if self.margin.query_is_odd() {
            let rows = self.select("v.norm >= 0").await?;
            return Ok((self.measured(&rows)?, rows.len() as u64));
        }
        let mut wanted = with_spare(k);
        let odd = self.margin.odd();
        let mut fetched = wanted;
        let (odd, mut first) = match self.passing_share().await? {
            Some(share) if share >= DOCUMENTS_LAST => {
                // A float becomes the nearest integer there is.
                fetched = (wanted as f64 / share).ceil() as usize;
                try_join(self.select(&odd), self.first_of_all(fetched)).await?
            }
            _ => try_join(self.select(&odd), self.first(wanted)).await?,
        };
        let odd_count = odd.len();
        let odd = self.measured(&odd)?;
        loop {
            let mut candidates = self.measured(first.iter().filter(|row| counts(row)))?;
            candidates.extend(odd.iter().cloned());
            if first.len() < fetched || self.is_settled(&first, &mut candidates, k)? {
                return Ok((candidates, (first.len() + odd_count) as u64));
            }
            // Many are as near as the last, or fewer pass than expected: look further.
            wanted = wanted.saturating_mul(4);
            fetched = wanted;
            first = self.first(wanted).await?;
        }
    }

    /// The share of all documents that pass, as far as it is known.
    async fn passing_share(&self) -> Result<Option<f64>> {
        match self.narrowed {
            Narrowed::No if self.nearly_all_are_live => Ok(Some(1.0)),
            Narrowed::No => Ok(None),
            Narrowed::Yes => Ok(Some(self.estimate().await?.share())),
        }
    }

    /// Whether no row beyond these can be among the nearest `k`.
    pub(super) fn is_settled(
        &self,
        rows: &[Row],
        candidates: &mut [Ranked<Distance>],
        k: usize,
    ) -> Result<bool> {
        let mut last = f64::NEG_INFINITY;
        for row in rows {
            match row.try_get::<_, Option<f64>>(4).map_err(self.failed())? {
                // What cannot be compared comes after all that can.
                None => return Ok(true),
                Some(place) if place.is_nan() => return Ok(true),
                Some(place) => last = last.max(place),
            }
        }
        let beyond = self.margin.least(last);
        if self
            .leg
            .max_distance
            .is_some_and(|max| max.value() < beyond)
        {
            return Ok(true);
        }
        let Some(place) = k.checked_sub(1).filter(|place| *place < candidates.len()) else {
            return Ok(false);
        };
        let (_, kth, _) = candidates.select_nth_unstable_by_key(place, |c| c.figure);
        Ok(kth.figure.value() < beyond)
    }

    /// The rows in scope that pass the filter: everything from FROM to its condition.
    fn rows(&self) -> String {
        format!(
            "FROM {} AS v JOIN {} AS d ON d.doc = v.doc WHERE {}",
            self.table.table,
            self.layout.tables.documents,
            self.passes.text()
        )
    }

    /// The first rows in the order of pgvector's figures, and whether each counts: odd
    /// ones are found apart, and to leave them out only here costs the scan nothing.
    async fn first(&self, count: usize) -> Result<Vec<Row>> {
        self.run(&self.first_sql(count)).await
    }

    /// The first rows of all, and whether each counts, which takes to pass too: where many
    /// do, the documents of these alone are looked at, and not joined with every vector.
    async fn first_of_all(&self, count: usize) -> Result<Vec<Row>> {
        let Self { send, table, .. } = self;
        // A row without a document is no document that passes, whatever the filter negates.
        let counts = format!(
            "({} AND d.doc IS NOT NULL AND {})",
            self.margin.even(),
            self.passes.text()
        );
        self.run(&format!(
            "SELECT v.doc, d.tenant, d.id, CASE WHEN {counts} THEN {send}(v.data) END, near.place, {counts} FROM (SELECT v.doc, {} AS place FROM {} AS v ORDER BY place LIMIT {}) AS near JOIN {} AS v ON v.doc = near.doc LEFT JOIN {} AS d ON d.doc = near.doc",
            self.margin.order(&self.figure),
            table.table,
            limit(count),
            table.table,
            self.layout.tables.documents,
        ))
        .await
    }

    pub(super) fn first_sql(&self, count: usize) -> String {
        let Self { send, table, .. } = self;
        format!(
            "SELECT v.doc, d.tenant, d.id, {send}(v.data), near.place, {} FROM (SELECT v.doc, {} AS place {} ORDER BY place LIMIT {}) AS near JOIN {} AS v ON v.doc = near.doc JOIN {} AS d ON d.doc = near.doc",
            self.margin.even(),
            self.margin.order(&self.figure),
            self.rows(),
            limit(count),
            table.table,
            self.layout.tables.documents,
        )
    }

    /// The rows of a condition.
    pub(super) async fn select(&self, condition: &str) -> Result<Vec<Row>> {
        self.run(&self.select_sql(condition)).await
    }

    pub(super) fn select_sql(&self, condition: &str) -> String {
        format!(
            "SELECT v.doc, d.tenant, d.id, {}(v.data) {} AND {condition}",
            self.send,
            self.rows()
        )
    }

    pub(super) async fn run(&self, sql: &str) -> Result<Vec<Row>> {
        let bound = Bound::of(&self.passes);
        let query = VectorData(self.leg.query.as_slice());
        let mut values = bound.values();
        values.push((&query, self.vector.clone()));
        if !self.excluded.is_empty() {
            values.push((&self.excluded, Type::INT8_ARRAY));
        }
        let rows = self.client.query_typed(sql, &values).await;
        rows.map_err(self.failed())
    }

    /// The rows that have a distance, and none that is too large, with it.
    pub(super) fn measured<'r>(
        &self,
        rows: impl IntoIterator<Item = &'r Row>,
    ) -> Result<Vec<Ranked<Distance>>> {
        let (query, metric) = (self.leg.query.as_slice(), self.leg.metric);
        let mut candidates = Vec::new();
        for row in rows {
            let bytes: &[u8] = row.try_get(3).map_err(self.failed())?;
            let distance = read_vector(bytes).and_then(|v| metric.distance(query, v.as_slice()));
            let near = |distance: &Distance| self.leg.max_distance.is_none_or(|m| *distance <= m);
            if let Some(figure) = distance.filter(near) {
                candidates.push(Ranked {
                    doc: row.try_get(0).map_err(self.failed())?,
                    key: key(self.layout, row)?,
                    figure,
                });
            }
        }
        Ok(candidates)
    }

    pub(super) fn failed(&self) -> impl Fn(tokio_postgres::Error) -> Error {
        storage(Doing("searching the vectors of", self.layout.schema.name()))
    }
}

/// How many candidates are fetched where `k` are wanted.
pub(super) fn with_spare(k: usize) -> usize {
    k.saturating_add(k / 8).saturating_add(SPARE)
}

/// A count of rows, as a statement has it.
pub(super) fn limit(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Whether a row of the first is to be compared.
fn counts(row: &Row) -> bool {
    matches!(row.try_get(5), Ok(Some(true)))
}
