//! `ermine daemon status`.

use std::io::{Write, stdout};

use ermine::ShardStatus;
use serde_json::{Value as Json, json};

use super::open;
use crate::arguments::{DaemonStatus, StatusFormat};
use crate::failure::{Failure, Finished};
use crate::wait::wait;

/// Tells the state of every projection, whoever runs it.
pub(super) fn run(arguments: &DaemonStatus) -> Result<Finished, Failure> {
    let store = open(&arguments.store)?;
    let shards = wait(store.daemon().status())?;
    let mut out = stdout().lock();
    match arguments.format {
        StatusFormat::Json => {
            let shards: Vec<Json> = shards.iter().map(as_json).collect();
            writeln!(out, "{:#}", Json::Array(shards))?;
        }
        StatusFormat::Table => {
            for shard in &shards {
                write(&mut out, shard)?;
            }
        }
    }
    out.flush()?;
    let moves = |shard: &ShardStatus| shard.paused.is_none() && shard.leader.is_some();
    Ok(match shards.iter().all(moves) {
        true => Finished::Whole,
        false => Finished::Unwell,
    })
}

fn write(out: &mut dyn Write, shard: &ShardStatus) -> std::io::Result<()> {
    writeln!(out, "{}", shard.projection)?;
    let (position, mark) = (shard.position, shard.mark);
    match shard.lag_events {
        0 => writeln!(out, "  position   {position} of {mark}: caught up")?,
        events => {
            let seconds = shard.lag.as_secs_f64();
            writeln!(
                out,
                "  position   {position} of {mark}: {events} behind, the first of them for {seconds:.1} s"
            )?;
        }
    }
    if shard.held_back > 0 {
        writeln!(
            out,
            "  held back  {} positions beyond that, by a transaction that is not done",
            shard.held_back
        )?;
    }
    match &shard.leader {
        Some(leader) => writeln!(out, "  leader     {leader}, epoch {}", shard.epoch.get())?,
        None => writeln!(out, "  leader     nobody; run `ermine daemon run`")?,
    }
    if let Some(reason) = &shard.paused {
        writeln!(
            out,
            "  paused     {reason}; go on with `ermine daemon resume`"
        )?;
    }
    if let Some(up_to) = shard.rebuilding {
        writeln!(out, "  rebuilding up to {up_to}")?;
    }
    Ok(())
}

fn as_json(shard: &ShardStatus) -> Json {
    json!({
        "projection": shard.projection,
        "shard": shard.shard,
        "position": shard.position,
        "mark": shard.mark,
        "held_back": shard.held_back,
        "lag_events": shard.lag_events,
        "lag_seconds": shard.lag.as_secs_f64(),
        "leader": shard.leader,
        "epoch": shard.epoch,
        "paused": shard.paused,
        "rebuilding": shard.rebuilding,
        "caught_up": shard.is_caught_up(),
    })
}
