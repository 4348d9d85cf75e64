//! Ranking by distance.

use std::collections::HashSet;

use ermine_core::{
    Distance, EmptyLeg, Error, ErrorKind, FilterPlace, LegKind, LegOutcome, Page, Result, Target,
    VectorLeg, by_distance,
};
use ermine_sql::{Postgres as Dialect, Sql, push_target};
use futures_util::future::try_join;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Row};

use super::margin::Margin;
use crate::bind::{Bound, VectorData, read_vector};
use crate::error::{Doing, storage};
use crate::extension::Extension;
use crate::layout::{Layout, VectorTable};
use crate::rank::Ranked;
use crate::read::key;

/// How many candidates are fetched at first beyond those asked for.
const SPARE: usize = 32;

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
    let (mut candidates, read) = scan.nearest(page.end()).await?;
    candidates.sort_unstable_by(|a, b| by_distance((a.figure, &a.key), (b.figure, &b.key)));
    let ranked = page.of(candidates);
    let place = match target.filter {
        Some(_) => FilterPlace::DuringScan,
        None => FilterPlace::None,
    };
    let outcome = LegOutcome::exact(kind, place, read, ranked.len());
    Ok((ranked, outcome))
}

/// An exact scan of a field's vectors.
struct Scan<'a> {
    client: &'a Client,
    layout: &'a Layout,
    leg: &'a VectorLeg,
    margin: Margin,
    /// The rows in scope that pass the filter: everything from FROM to its condition.
    rows: Sql,
    excluded: Vec<i64>,
    vector: Type,
    table: &'a VectorTable,
    figure: String,
    data: String,
}

impl<'a> Scan<'a> {
    fn new(
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
        let mut rows = Sql::new(&Dialect);
        rows.push(format!(
            "FROM {} AS v JOIN {} AS d ON d.doc = v.doc WHERE ",
            table.table, layout.tables.documents
        ));
        push_target(&mut rows, target)?;
        let query = rows.values().len() + 1;
        if !excluded.is_empty() {
            rows.push(format!(" AND v.doc <> ALL(${})", query + 1));
        }
        Ok(Self {
            client,
            layout,
            leg,
            margin: Margin::new(leg.metric, &leg.query),
            rows,
            excluded: excluded.iter().copied().collect(),
            vector: extension.vector(),
            table,
            figure: format!("(v.data {} ${query})", extension.operator(leg.metric)?),
            data: format!("{}(v.data)", extension.named("vector_send")),
        })
    }

    /// All documents that can be among the nearest `k`, with their distances, and how
    /// many were compared.
    async fn nearest(&self, k: usize) -> Result<(Vec<Ranked<Distance>>, u64)> {
        if self.margin.query_is_odd() {
            let rows = self.select("v.norm >= 0").await?;
            return Ok((self.measured(&rows)?, rows.len() as u64));
        }
        let mut wanted = k.saturating_add(k / 8).saturating_add(SPARE);
        let odd = self.margin.odd();
        let (odd, mut even) = try_join(self.select(&odd), self.first(wanted)).await?;
        let odd_count = odd.len();
        let odd = self.measured(&odd)?;
        loop {
            let mut candidates = self.measured(&even)?;
            candidates.extend(odd.iter().cloned());
            if even.len() < wanted || self.is_settled(&even, &mut candidates, k)? {
                return Ok((candidates, (even.len() + odd_count) as u64));
            }
            // Many are as near as the last: look further.
            wanted = wanted.saturating_mul(4);
            even = self.first(wanted).await?;
        }
    }

    /// Whether no row beyond these can be among the nearest `k`.
    fn is_settled(
        &self,
        rows: &[Row],
        candidates: &mut [Ranked<Distance>],
        k: usize,
    ) -> Result<bool> {
        let mut last = f64::NEG_INFINITY;
        for row in rows {
            last = last.max(row.try_get(4).map_err(self.failed())?);
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

    /// The first rows in the order of pgvector's figures.
    async fn first(&self, count: usize) -> Result<Vec<Row>> {
        let Self {
            rows, data, table, ..
        } = self;
        let sql = format!(
            "SELECT v.doc, d.tenant, d.id, {data}, near.place FROM (SELECT v.doc, {} AS place {} AND {} ORDER BY place LIMIT {}) AS near JOIN {} AS v ON v.doc = near.doc JOIN {} AS d ON d.doc = near.doc",
            self.margin.order(&self.figure),
            rows.text(),
            self.margin.even(),
            i64::try_from(count).unwrap_or(i64::MAX),
            table.table,
            self.layout.tables.documents,
        );
        self.run(&sql).await
    }

    /// The rows of a condition.
    async fn select(&self, condition: &str) -> Result<Vec<Row>> {
        let sql = format!(
            "SELECT v.doc, d.tenant, d.id, {} {} AND {condition}",
            self.data,
            self.rows.text()
        );
        self.run(&sql).await
    }

    async fn run(&self, sql: &str) -> Result<Vec<Row>> {
        let bound = Bound::of(&self.rows);
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
    fn measured(&self, rows: &[Row]) -> Result<Vec<Ranked<Distance>>> {
        let (query, metric) = (self.leg.query.as_slice(), self.leg.metric);
        let mut candidates = Vec::with_capacity(rows.len());
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

    fn failed(&self) -> impl Fn(tokio_postgres::Error) -> Error {
        storage(Doing("searching the vectors of", self.layout.schema.name()))
    }
}
