//! Searches that may miss near neighbours, and the choice of how (rule V10).
//!
//! The planner does not know what an index's candidates cost when few of them pass, nor
//! that they are worth less the further it has to go for them. So the choice is made
//! here, from how many documents pass, and each way is bounded: where the estimate was
//! wrong, the next is tried, and the last is the exact scan.

use ermine_core::{Distance, Plan, Result, Target, TenantScope};
use futures_util::future::{try_join, try_join3};
use tokio_postgres::Row;

use super::leg::{Scan, limit, with_spare};
use super::search_effort::{Effort, few};
use crate::layout::HnswIndex;
use crate::rank::Ranked;

/// What a search found.
pub(super) struct Found {
    /// In no order.
    pub(super) candidates: Vec<Ranked<Distance>>,
    /// How many rows were compared.
    pub(super) read: u64,
    pub(super) plan: Plan,
}

/// Whether a search looks at fewer documents than there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Narrowed {
    /// By a filter or to a tenant.
    Yes,
    /// At most by soft deletes.
    No,
}

impl Narrowed {
    pub(super) fn of(target: &Target) -> Self {
        match (&target.filter, &target.scope.tenants) {
            (None, TenantScope::Untenanted | TenantScope::All) => Self::No,
            _ => Self::Yes,
        }
    }
}

/// How many documents there are, and how many of them pass.
#[derive(Debug, Clone, Copy)]
pub(super) struct Estimate {
    all: f64,
    passing: f64,
}

impl Estimate {
    pub(super) fn share(self) -> f64 {
        self.passing / self.all
    }
}

impl Scan<'_> {
    /// Few documents that pass are all compared. Of many, the index gives the nearest,
    /// unless they are too far away to be found by it: then all are compared too.
    pub(super) async fn approximate(&self, index: &HnswIndex, k: usize) -> Result<Found> {
        let wanted = with_spare(k);
        let mut estimate = self.estimate().await?;
        let few = few(estimate.all, wanted);
        if self.narrowed == Narrowed::Yes && estimate.passing <= few as f64 {
            let cap = few.saturating_mul(4);
            if let Some(found) = self.of_filtered(k, cap).await? {
                return Ok(found);
            }
            estimate.passing = cap as f64;
        }
        let effort = Effort::new(wanted, estimate.share());
        match self.by_index(index, k, wanted, effort).await? {
            Some(found) => Ok(found),
            None => self.exactly(k, Plan::ApproximateThenExact).await,
        }
    }

    /// As the planner estimates, from its statistics and the values of the filter.
    pub(super) async fn estimate(&self) -> Result<Estimate> {
        let documents = &self.layout.tables.documents;
        let every = format!("EXPLAIN SELECT FROM {documents}");
        let passing = format!(
            "EXPLAIN SELECT FROM {documents} AS d WHERE {}",
            self.passes.text()
        );
        let (every, passing) = match self.narrowed {
            Narrowed::Yes => try_join(self.run(&every), self.run(&passing)).await?,
            Narrowed::No => (Vec::new(), Vec::new()),
        };
        let rows = |rows: &[Row]| -> Result<f64> {
            let Some(row) = rows.first() else {
                return Ok(1.0);
            };
            let line: &str = row.try_get(0).map_err(self.failed())?;
            Ok(estimated(line).unwrap_or(1.0).max(1.0))
        };
        let all = rows(&every)?;
        Ok(Estimate {
            all,
            passing: rows(&passing)?.min(all),
        })
    }

    /// All documents that pass, compared, where there are no more than `cap`.
    async fn of_filtered(&self, k: usize, cap: usize) -> Result<Option<Found>> {
        let mut wanted = with_spare(k);
        loop {
            let rows = self.run(&self.filtered_sql(wanted, cap)).await?;
            let count = match rows.first() {
                Some(row) => row.try_get::<_, i64>(5).map_err(self.failed())?,
                None => 0,
            };
            if count > limit(cap) {
                return Ok(None);
            }
            // Where nothing has a vector, one row holds the count alone.
            let rows: Vec<Row> = rows
                .into_iter()
                .filter(|row| matches!(row.try_get::<_, Option<i64>>(0), Ok(Some(_))))
                .collect();
            let mut candidates = self.measured(&rows)?;
            if rows.len() < wanted || self.is_settled(&rows, &mut candidates, k)? {
                return Ok(Some(Found {
                    candidates,
                    read: u64::try_from(count).unwrap_or_default(),
                    plan: Plan::ExactOfFiltered,
                }));
            }
            wanted = wanted.saturating_mul(4);
        }
    }

    /// The first rows of those that pass, with how many pass, `cap + 1` standing for any
    /// more. Vectors that pgvector cannot be relied on to compare come first.
    fn filtered_sql(&self, wanted: usize, cap: usize) -> String {
        let Self { table, send, .. } = self;
        let order = self.margin.order(&self.figure);
        format!(
            "WITH passing AS MATERIALIZED (SELECT d.doc, d.tenant, d.id FROM {} AS d WHERE {} LIMIT {}),
             counted AS MATERIALIZED (SELECT count(*) AS passing FROM passing)
             SELECT near.doc, near.tenant, near.id, {send}(near.data), near.place, counted.passing
             FROM counted LEFT JOIN (
               SELECT v.doc, p.tenant, p.id, v.data, CASE WHEN {} THEN {order} ELSE '-Infinity' END AS place
               FROM passing AS p JOIN {} AS v ON v.doc = p.doc
               WHERE v.norm >= 0 AND (SELECT passing FROM counted) <= {}
               ORDER BY place LIMIT {}) AS near ON TRUE",
            self.layout.tables.documents,
            self.passes.text(),
            limit(cap.saturating_add(1)),
            self.margin.even(),
            table.table,
            limit(cap),
            limit(wanted),
        )
    }

    /// The documents that pass among the candidates of an index, nearest first.
    fn index_sql(&self, index: &HnswIndex, wanted: usize, effort: Effort) -> String {
        let Self { table, send, .. } = self;
        let documents = &self.layout.tables.documents;
        format!(
            "SELECT near.doc, d.tenant, d.id, {send}(near.data) FROM (SELECT v.doc, v.data, {figure} AS place FROM {} AS v WHERE {} ORDER BY {figure} LIMIT {}) AS near JOIN {documents} AS d ON d.doc = near.doc WHERE {} ORDER BY near.place LIMIT {}",
            table.table,
            index.holds("v."),
            limit(effort.candidates),
            self.passes.text(),
            limit(wanted),
            figure = index.figure(&self.operator, &self.query),
        )
    }

    /// The nearest documents by the index; `None` where it does not give enough of those
    /// that pass, or not enough of them are near enough.
    async fn by_index(
        &self,
        index: &HnswIndex,
        k: usize,
        wanted: usize,
        effort: Effort,
    ) -> Result<Option<Found>> {
        let sql = self.index_sql(index, wanted, effort);
        let begin = effort.settings();
        // The three go out together, so that no other leg's statement gets between them.
        let by_index = async {
            let before = async {
                let set = self.client.batch_execute(&begin).await;
                set.map_err(self.failed())
            };
            let after = async {
                let reset = self.client.batch_execute(Effort::RESET).await;
                reset.map_err(self.failed())
            };
            let (_, rows, _) = try_join3(before, self.run(&sql), after).await?;
            Ok(rows)
        };
        let missed = index.misses("v.");
        let (rows, missed) = try_join(by_index, self.select(&missed)).await?;
        if rows.len() < wanted {
            return Ok(None);
        }
        let mut candidates = self.measured(&rows)?;
        candidates.extend(self.measured(&missed)?);
        Ok((candidates.len() >= k).then(|| Found {
            candidates,
            read: (rows.len() + missed.len()) as u64,
            plan: Plan::Approximate,
        }))
    }
}

/// The rows that a plan's first line expects.
fn estimated(line: &str) -> Option<f64> {
    let (_, rest) = line.split_once(" rows=")?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests;
