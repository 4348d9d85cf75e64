//! Building segments from tails, and giving up segments that are small or mostly dead.
//!
//! One transaction at a time does so for a tenant, and it waits for no writer: records
//! that one holds are passed over. A writer that wants a record that is being sealed
//! waits for the end of that, and buries it then.

use ermine_core::{Error, ErrorKind, Result};
use ermine_text::{ForwardRecord, Segment, SegmentBuilder};
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Row};

use super::segment;
use crate::error::{Doing, storage};
use crate::layout::{Layout, SEALING, TextTables};
use crate::pool::Pool;

/// How many records a segment is built from at least.
pub(super) const TAIL: u64 = 256;

/// How many records a segment is built from at most.
const LARGEST: i64 = 4_096;

/// How many segments of less than half that size a tenant may have.
const SMALL_SEGMENTS: i64 = 16;

/// How many dead records a tenant may have before segments are given up: each costs
/// every search a look.
const DEAD: i64 = 1_024;

/// How long each tenant's tail is.
pub(super) async fn tails(pool: &Pool, layout: &Layout) -> Result<Vec<(String, u64)>> {
    let Some(text) = &layout.text else {
        return Ok(Vec::new());
    };
    let counting = || {
        storage(Doing(
            "counting the unsealed documents of",
            text.schema.as_str(),
        ))
    };
    let sql = format!(
        "SELECT tenant, count(*) FROM {} WHERE seg IS NULL GROUP BY tenant",
        text.records
    );
    let lease = pool.get().await?;
    let rows = lease
        .client()?
        .query_typed(&sql, &[])
        .await
        .map_err(counting())?;
    lease.give_back();
    rows.iter()
        .map(|row| {
            let count: i64 = row.try_get(1).map_err(counting())?;
            Ok((row.try_get(0).map_err(counting())?, count.cast_unsigned()))
        })
        .collect()
}

/// Tends a tenant's index, a segment per transaction.
pub(super) async fn tend(pool: &Pool, layout: &Layout, tenant: &str) -> Result<()> {
    let Some(text) = &layout.text else {
        return Ok(());
    };
    loop {
        let lease = pool.get().await?;
        let tending = Tending {
            client: lease.client()?,
            text,
            fields: layout.schema.text().len(),
            tenant,
        };
        match tending.once().await {
            Ok(true) => {
                let committed = tending.client.batch_execute("COMMIT").await;
                committed.map_err(tending.failed())?;
                lease.give_back();
            }
            Ok(false) => return lease.roll_back().await,
            Err(error) => {
                // The error that came first is the one to tell.
                let _ = lease.roll_back().await;
                return Err(error);
            }
        }
    }
}

struct Tending<'a> {
    client: &'a Client,
    text: &'a TextTables,
    fields: usize,
    tenant: &'a str,
}

impl Tending<'_> {
    /// Builds one segment in a transaction that it begins; `false` where there is
    /// nothing to do, or somebody else does it.
    async fn once(&self) -> Result<bool> {
        self.client
            .batch_execute(&format!(
                "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL {SEALING} = 'on'"
            ))
            .await
            .map_err(self.failed())?;
        let lock = format!("ermine sealing {} {}", self.text.schema, self.tenant);
        let alone = self
            .client
            .query_typed(
                "SELECT pg_try_advisory_xact_lock(hashtextextended(coalesce(current_schema(), '') || $1, 0))",
                &[(&lock, Type::TEXT)],
            )
            .await
            .map_err(self.failed())?;
        let alone: bool = match alone.first() {
            Some(row) => row.try_get(0).map_err(self.failed())?,
            None => false,
        };
        if !alone {
            return Ok(false);
        }
        let gave_up = self.give_up().await?;
        Ok(self.seal().await? || gave_up)
    }

    /// Builds a segment from the tail's first records.
    async fn seal(&self) -> Result<bool> {
        let records = &self.text.records;
        let tail = self
            .of_tenant(&format!(
                "SELECT doc, terms FROM {records} WHERE tenant = $1 AND seg IS NULL ORDER BY doc LIMIT {LARGEST} FOR UPDATE SKIP LOCKED"
            ))
            .await?;
        if (tail.len() as u64) < TAIL {
            return Ok(false);
        }
        let (docs, segment) = self.built(&tail)?;
        let (Some(first), Some(last)) = (docs.first(), docs.last()) else {
            return Ok(false);
        };
        let range = (*first, *last);
        let number = segment::insert(self.client, self.text, self.tenant, range, &segment)
            .await
            .map_err(self.failed())?;
        self.client
            .execute_typed(
                &format!("UPDATE {records} SET seg = $1 WHERE doc = ANY($2)"),
                &[(&number, Type::INT8), (&docs, Type::INT8_ARRAY)],
            )
            .await
            .map_err(self.failed())?;
        Ok(true)
    }

    fn built(&self, tail: &[Row]) -> Result<(Vec<i64>, Segment)> {
        let mut builder = SegmentBuilder::new(self.fields);
        let mut docs = Vec::with_capacity(tail.len());
        for row in tail {
            let doc: i64 = row.try_get(0).map_err(self.failed())?;
            let bytes: &[u8] = row.try_get(1).map_err(self.failed())?;
            ForwardRecord::decode(bytes)
                .and_then(|record| builder.push(doc, &record))
                .map_err(|e| {
                    Error::new(
                        ErrorKind::Corrupt,
                        format!(
                            "sealing the text index of `{}`: document number {doc}",
                            self.text.schema
                        ),
                    )
                    .with_source(e)
                })?;
            docs.push(doc);
        }
        Ok((docs, builder.finish()))
    }

    /// Puts the living records of segments back into the tail: of those that are half
    /// dead, once there are many dead records, and of small ones, once there are many.
    /// Returns whether there were any.
    async fn give_up(&self) -> Result<bool> {
        let TextTables { dead, segments, .. } = self.text;
        let doomed = self
            .of_tenant(&format!(
                "SELECT s.seg, s.first, s.last FROM {segments} AS s
                 WHERE s.tenant = $1 AND (
                   (2 * s.n < {LARGEST} AND (SELECT count(*) FROM {segments} AS t WHERE t.tenant = $1 AND 2 * t.n < {LARGEST}) >= {SMALL_SEGMENTS})
                   OR ((SELECT count(*) FROM {dead} AS x WHERE x.tenant = $1) >= {DEAD}
                       AND 2 * (SELECT count(*) FROM {dead} AS x WHERE x.tenant = $1 AND x.seg = s.seg) >= s.n))"
            ))
            .await?;
        let mut gave_up = false;
        for row in &doomed {
            let number = |at| row.try_get::<_, i64>(at).map_err(self.failed());
            gave_up |= self.dissolve(number(0)?, number(1)?, number(2)?).await?;
        }
        Ok(gave_up)
    }

    /// Dissolves a segment, unless a writer holds one of its records; whether it did.
    async fn dissolve(&self, segment: i64, first: i64, last: i64) -> Result<bool> {
        let TextTables {
            records,
            dead,
            segments,
            postings,
            ..
        } = self.text;
        let living = format!("{records} WHERE doc BETWEEN $2 AND $3 AND seg = $1");
        let values: [(&(dyn tokio_postgres::types::ToSql + Sync), Type); 3] = [
            (&segment, Type::INT8),
            (&first, Type::INT8),
            (&last, Type::INT8),
        ];
        let locked = self
            .client
            .query_typed(
                &format!("SELECT doc FROM {living} FOR UPDATE SKIP LOCKED"),
                &values,
            )
            .await
            .map_err(self.failed())?;
        let counted = self
            .client
            .query_typed(&format!("SELECT count(*) FROM {living}"), &values)
            .await
            .map_err(self.failed())?;
        let counted: i64 = match counted.first() {
            Some(row) => row.try_get(0).map_err(self.failed())?,
            None => 0,
        };
        if counted.cast_unsigned() != locked.len() as u64 {
            return Ok(false);
        }
        self.client
            .execute_typed(
                &format!(
                    "UPDATE {living_update}",
                    living_update = living.replacen(" WHERE", " SET seg = NULL WHERE", 1)
                ),
                &values,
            )
            .await
            .map_err(self.failed())?;
        for sql in [
            format!("DELETE FROM {postings} WHERE seg = $1"),
            format!("DELETE FROM {segments} WHERE seg = $1"),
            format!("DELETE FROM {dead} WHERE tenant = $2 AND seg = $1"),
        ] {
            let values: [(&(dyn tokio_postgres::types::ToSql + Sync), Type); 2] =
                [(&segment, Type::INT8), (&self.tenant, Type::TEXT)];
            self.client
                .execute_typed(&sql, &values)
                .await
                .map_err(self.failed())?;
        }
        Ok(true)
    }

    async fn of_tenant(&self, sql: &str) -> Result<Vec<Row>> {
        self.client
            .query_typed(sql, &[(&self.tenant, Type::TEXT)])
            .await
            .map_err(self.failed())
    }

    fn failed(&self) -> impl Fn(tokio_postgres::Error) -> Error {
        storage(Doing("tending the text index of", &self.text.schema))
    }
}
