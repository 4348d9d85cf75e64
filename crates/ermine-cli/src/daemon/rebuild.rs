//! `ermine daemon rebuild`.

use ermine::{Daemon, ShardCounts, ShardStatus};

use super::catch_up::{Telling, following};
use super::each;
use crate::arguments::Rebuild;
use crate::failure::{Failure, Finished};
use crate::import::{Progress, counted};
use crate::wait::wait;

/// Makes projections anew, or tells what that would cost.
pub(super) fn run(arguments: &Rebuild) -> Result<Finished, Failure> {
    each(&arguments.which, |daemon, projection| {
        let estimate = wait(daemon.estimate_rebuild(projection))?;
        if arguments.dry_run {
            return Ok(format!(
                "`{projection}`, up to position {}: {} to write or compare; {} to embed, {}, in {}",
                estimate.up_to,
                counted(estimate.rows, "row"),
                counted(estimate.texts, "text"),
                counted(estimate.tokens, "token"),
                counted(estimate.calls, "call"),
            ));
        }
        let progress = Progress::telling(Telling::Shown, estimate.rows as u64, "rows");
        let done = |shards: &[ShardStatus]| {
            let shard = shards.iter().find(|shard| shard.projection == projection);
            shard.map_or(0, |shard| shard.counts.written + shard.counts.unchanged)
        };
        let rebuild = || Ok(wait(daemon.rebuild(projection))?);
        following(daemon, progress, rebuild, done)?;
        let ShardCounts {
            written,
            unchanged,
            removed,
            texts,
            ..
        } = counts(daemon, projection)?;
        Ok(format!(
            "`{projection}` is rebuilt: {written} written, {unchanged} unchanged, {removed} removed; {} embedded",
            counted(usize::try_from(texts).unwrap_or(usize::MAX), "text"),
        ))
    })
}

fn counts(daemon: &Daemon, projection: &str) -> Result<ShardCounts, Failure> {
    let shards = wait(daemon.status())?;
    let shard = shards.into_iter().find(|s| s.projection == projection);
    Ok(shard.map(|shard| shard.counts).unwrap_or_default())
}
