//! Processes that share a store: some append, some run the daemon, and those are killed.

mod process;
mod told;

use std::time::{Duration, Instant};

use ermine::{Engine, ShardStatus, Store};

pub(crate) use self::process::{append, lead};
use self::told::open;
use crate::Result;
use crate::child::Process;
use crate::place::Place;

/// How long a takeover may last where nothing is configured.
const TAKEOVER: Duration = Duration::from_secs(10);

/// How long everything may take to be applied once nobody appends.
const PATIENCE: Duration = Duration::from_secs(120);

/// How long a leader leads before it is killed.
const TERM: Duration = Duration::from_secs(2);

/// What the run is to be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Soak<'a> {
    /// How long events are appended.
    pub(crate) seconds: u64,
    /// How many processes run the daemon.
    pub(crate) daemons: usize,
    /// How long a lease lasts, in milliseconds; the default where it is not said.
    pub(crate) lease: Option<u64>,
    /// The PostgreSQL; a file where there is none.
    pub(crate) store: Option<&'a str>,
}

pub(crate) async fn run(soak: Soak<'_>) -> Result<()> {
    let directory = tempfile::tempdir()?;
    let place = Place::fresh(soak.store, directory.path());
    let ran = soak_in(&place, soak).await;
    place.remove().await?;
    ran
}

async fn soak_in(place: &Place, soak: Soak<'_>) -> Result<()> {
    let text = place.to_string();
    let store = open(place).await?;
    let lease = soak
        .lease
        .map_or_else(String::new, |lease| lease.to_string());
    let start = || Process::start(&["lead", &text, &lease]);
    let mut daemons: Vec<Process> = (0..soak.daemons).map(|_| start()).collect::<Result<_>>()?;
    let seconds = soak.seconds.to_string();
    let appenders = ["1", "2"].map(|seed| Process::start(&["append", &text, &seconds, seed]));
    let begun = Instant::now();
    let mut takeovers: Vec<Duration> = Vec::new();
    loop {
        tokio::time::sleep(TERM).await;
        // One is killed at least, however long the first takes to lead.
        let is_enough = !takeovers.is_empty() || begun.elapsed() > PATIENCE;
        if begun.elapsed().as_secs() >= soak.seconds && is_enough {
            break;
        }
        let shards = store.daemon().status().await?;
        let Some(at) = leader(&shards, &daemons) else {
            continue;
        };
        let dead = daemons.swap_remove(at);
        takeovers.push(take_over(&store, dead, shards).await?);
        daemons.push(start()?);
    }
    let mut told = 0;
    for appender in appenders {
        told += appender?.output()?.trim().parse::<u64>()?;
    }
    store.daemon().catch_up(PATIENCE).await?;
    told::check(&store, told).await?;
    let longest = takeovers.iter().max().copied().unwrap_or_default();
    let times: Vec<String> = takeovers
        .iter()
        .map(|time| format!("{:.1}", time.as_secs_f64()))
        .collect();
    println!(
        "{told} events by two processes, each applied once and in the order of its stream by {}; takeovers: [{}] s",
        soak.daemons,
        times.join(", ")
    );
    if takeovers.is_empty() {
        return Err("no leader was killed".into());
    }
    if soak.lease.is_none() && longest > TAKEOVER {
        return Err(format!("a takeover lasted {:.1} s", longest.as_secs_f64()).into());
    }
    Ok(())
}

/// Which process leads the first shard that one of them leads.
fn leader(shards: &[ShardStatus], daemons: &[Process]) -> Option<usize> {
    let leaders = shards.iter().filter_map(|shard| shard.leader.as_ref());
    let mut found = leaders.filter_map(|leader| {
        let is_it = |process: &Process| leader.starts_with(&format!("{}-", process.id()));
        daemons.iter().position(is_it)
    });
    found.next()
}

/// Kills a process by signal 9: how long it lasts until every shard that it led moves again.
async fn take_over(
    store: &Store<Engine>,
    mut dead: Process,
    before: Vec<ShardStatus>,
) -> Result<Duration> {
    dead.kill()?;
    let killed = Instant::now();
    let its = format!("{}-", dead.id());
    let led = |shard: &&ShardStatus| shard.leader.as_ref().is_some_and(|l| l.starts_with(&its));
    let led: Vec<&ShardStatus> = before.iter().filter(led).collect();
    loop {
        let now = store.daemon().status().await?;
        let others_lead = led.iter().all(|before| {
            now.iter().any(|now| {
                now.shard == before.shard
                    && now.epoch > before.epoch
                    && (now.position > before.position || now.is_caught_up())
            })
        });
        if others_lead {
            return Ok(killed.elapsed());
        }
        if killed.elapsed() > PATIENCE {
            return Err("nobody took over".into());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
