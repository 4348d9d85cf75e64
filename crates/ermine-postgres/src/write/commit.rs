//! One unit, in one transaction.

use std::time::Duration;

use ermine_core::{Committed, Result, Token, Unit};
use futures_util::FutureExt;
use tokio_postgres::Client;

use super::events;
use super::failure::Failure;
use super::put::Puts;
use super::runs::{self, Run, Work};
use super::sealer::Sealer;
use super::statement::{NUMBER, NUMBER_AND_POSITION, Statement, send, send_and_commit};
use super::vectors;
use crate::bind::tenant_text;
use crate::error::storage;
use crate::layout::Known;
use crate::pool::{Lease, Pool};

/// How often a unit is written anew that lost against others.
const ATTEMPTS: u32 = 40;

/// After how many of them it waits no longer than before.
const LONGEST_WAIT: u32 = 12;

/// Writes a unit: its operations in order, all or none.
pub(crate) async fn commit(
    mut lease: Lease,
    pool: &Pool,
    known: &Known,
    sealer: &std::sync::Arc<Sealer>,
    unit: &Unit,
) -> Result<Committed> {
    let runs = match runs::of(known, unit).and_then(|runs| {
        runs.iter().try_for_each(Puts::check)?;
        Ok(runs)
    }) {
        Ok(runs) => runs,
        Err(refused) => {
            lease.give_back();
            return Err(refused);
        }
    };
    let mut attempt = 1;
    loop {
        match write(lease.client()?, unit, &runs).await {
            Ok((changed, token)) => {
                lease.give_back();
                for (run, changed) in runs.iter().zip(changed) {
                    sealer.count(&run.layout, tenant_text(run.tenant), changed);
                }
                return Ok(Committed { token });
            }
            Err(Failure::Final(error)) => {
                // What could not be rolled back was not committed; the connection goes.
                let _ = lease.roll_back().await;
                return Err(error);
            }
            Err(Failure::Again(error)) => {
                let _ = lease.roll_back().await;
                if attempt == ATTEMPTS {
                    return Err(error);
                }
                // Those who met once part ways: each waits another while.
                let jitter = u64::from(ermine_core::new_id().as_bytes()[15]);
                let wait = jitter * u64::from(attempt.min(LONGEST_WAIT)) * 50;
                tokio::time::sleep(Duration::from_micros(wait)).await;
                attempt += 1;
                lease = pool.get().await?;
            }
        }
    }
}

/// Writes events and all runs, and returns how many documents each run changed, and the
/// token.
async fn write(
    client: &Client,
    unit: &Unit,
    runs: &[Run<'_>],
) -> std::result::Result<(Vec<u64>, Token), Failure> {
    // Not waited for: what follows fails where this does.
    let begun = client
        .batch_execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
        .now_or_never();
    if let Some(Err(error)) = begun {
        return Err(Failure::Again(storage("beginning to write")(error)));
    }
    let events = events::begin(client, unit).await?;
    let told = if events.appends {
        NUMBER_AND_POSITION
    } else {
        NUMBER
    };
    if runs.len() > 1 {
        send(client, &runs::locks(runs)).await?;
    }
    let mut changed = Vec::with_capacity(runs.len());
    let Some((last, before)) = runs.split_last() else {
        let (_, token) = send_and_commit(client, &events.statements, told).await?;
        return Ok((changed, token));
    };
    for run in before {
        let (statements, documents) = statements(client, run).await?;
        let rows = send(client, &statements).await?;
        changed.push(documents.unwrap_or_else(|| rows.iter().sum()));
    }
    let (mut statements, documents) = statements(client, last).await?;
    let of_the_run = statements.len();
    // Last of all: what is registered holds readers up until the commit.
    statements.extend(events.statements);
    let (rows, token) = send_and_commit(client, &statements, told).await?;
    changed.push(documents.unwrap_or_else(|| rows.iter().take(of_the_run).sum()));
    Ok((changed, token))
}

/// What writes a run, and how many documents that changes, where it is known before.
async fn statements<'r>(
    client: &Client,
    run: &'r Run<'_>,
) -> std::result::Result<(Vec<Statement<'r>>, Option<u64>), Failure> {
    match &run.work {
        Work::Puts(puts) => {
            let mut puts = Puts::plan(client, run, puts).await?;
            let count = puts.count();
            puts.load(client).await?;
            Ok((puts.statements()?, Some(count)))
        }
        // The text, which is what is counted, stays as it is.
        Work::Vectors(documents) => {
            let statements = vectors::statements(client, run, documents).await?;
            Ok((statements, Some(0)))
        }
        Work::Deletes(..) | Work::DeleteWhere(..) => {
            Ok((runs::deletion(run)?.into_iter().collect(), None))
        }
    }
}
