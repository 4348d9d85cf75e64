//! Writing what events make, in guarded batches (rule P1).

use std::collections::BTreeSet;

use ermine_core::{Append, ErrorKind, Expected, Op, Position, Storage, StreamId, TenantId, Unit};

use super::draft::{Draft, Ready, drafts};
use super::embedder::Wanted;
use super::halt::Halt;
use super::telemetry::Count;
use super::worker::{Guard, Worker};
use crate::projection::Row;

/// How often the same rows are compared and written before somebody is told.
const ATTEMPTS: usize = 20;

/// How many rows at most are written in a batch.
const ROWS: usize = 1_000;

/// What one batch writes.
#[derive(Default)]
struct Batch {
    ops: Vec<Op>,
    /// The streams that its rows come from: one that was removed meanwhile must not
    /// leave anything (rule P15).
    streams: BTreeSet<(Option<TenantId>, StreamId)>,
    written: usize,
    removed: usize,
    parked: usize,
}

impl Worker {
    /// Writes rows, as soon as their texts are embedded: a page whose texts take several
    /// calls is several batches, and only the last moves the shard.
    pub(super) async fn write(
        &mut self,
        guard: Guard,
        to: Position,
        rows: Vec<Row>,
        besides: Vec<Op>,
    ) -> Result<(), Halt> {
        for _ in 0..ATTEMPTS {
            match self.try_write(guard, to, &rows, &besides).await {
                Err(Halt::Failed(error)) if error.kind() == ErrorKind::KeptVectorChanged => {}
                ended => return ended,
            }
        }
        Err(self.outdated(ermine_core::Error::new(
            ErrorKind::KeptVectorChanged,
            "a vector to be kept is no longer the one whose hash was read",
        )))
    }

    async fn try_write(
        &mut self,
        guard: Guard,
        to: Position,
        rows: &[Row],
        besides: &[Op],
    ) -> Result<(), Halt> {
        let (mut left, unchanged) = drafts(&self.runtime, rows).await?;
        let wanted: Vec<Wanted> = left.iter().flat_map(Draft::wanted).cloned().collect();
        let calls = self.embedder.calls(&wanted);
        let last = calls.len();
        for (at, call) in calls.iter().enumerate() {
            self.embedder.embed(call).await?;
            if at + 1 < last {
                self.write_answered(guard, &mut left).await?;
            }
        }
        while left.len() > ROWS {
            let rest = left.split_off(ROWS);
            self.write_answered(guard, &mut left).await?;
            left = rest;
        }
        let mut batch = self.batch(&left)?;
        batch.ops.splice(0..0, besides.iter().cloned());
        self.commit(self.advance(guard, to), batch).await?;
        self.meter.add(Count::Unchanged, unchanged);
        Ok(())
    }

    /// Writes the drafts whose texts are answered, and leaves the others.
    async fn write_answered(&mut self, guard: Guard, left: &mut Vec<Draft>) -> Result<(), Halt> {
        let answered = left.extract_if(.., |draft| draft.is_answered(&self.embedder));
        let answered: Vec<Draft> = answered.collect();
        for some in answered.chunks(ROWS) {
            let batch = self.batch(some)?;
            self.commit(self.hold(guard), batch).await?;
        }
        Ok(())
    }

    fn batch(&self, drafts: &[Draft]) -> Result<Batch, Halt> {
        let mut batch = Batch::default();
        for draft in drafts {
            let mut add = |op: Op| {
                match op {
                    Op::Delete { .. } => batch.removed += 1,
                    _ => batch.written += 1,
                }
                batch.ops.push(op);
            };
            match draft.finish(&self.embedder)? {
                Ready::Op(op) => add(op),
                Ready::Refused(error, op) => {
                    tracing::warn!(shard = %self.shard(), error = %error, "a text is set aside");
                    op.into_iter().for_each(&mut add);
                    if let Some(cause) = &draft.cause {
                        let park = self.park(cause.position, cause.tenant.clone(), &error);
                        batch.ops.push(park);
                        batch.parked += 1;
                    }
                }
            }
            if let Some(cause) = &draft.cause {
                batch
                    .streams
                    .insert((cause.tenant.clone(), cause.stream.clone()));
            }
        }
        Ok(batch)
    }

    async fn commit(&self, guard: Op, batch: Batch) -> Result<(), Halt> {
        let mut ops = vec![guard];
        ops.extend(batch.streams.into_iter().map(|(tenant, stream)| {
            Op::Append(Append {
                tenant,
                stream,
                expected: Expected::Open,
                events: Vec::new(),
            })
        }));
        ops.extend(batch.ops);
        self.runtime.engine.commit(&Unit { ops }).await?;
        self.meter.add(Count::Written, batch.written);
        self.meter.add(Count::Removed, batch.removed);
        self.meter.add(Count::Parked, batch.parked);
        self.runtime.shards.moved.raise();
        Ok(())
    }
}
