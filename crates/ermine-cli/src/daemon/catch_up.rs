//! Running projections until they have applied what there is.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ermine::{Daemon, ShardStatus};

use crate::failure::Failure;
use crate::import::Progress;
use crate::wait::wait;

/// How often the projections are asked how far they are.
const LOOK: Duration = Duration::from_millis(100);

/// Whether progress is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Telling {
    Shown,
    Silent,
}

/// Runs projections until each has applied what is committed, and tells how
/// long that took.
pub(crate) fn catch_up(daemon: &Daemon, telling: Telling) -> Result<Duration, Failure> {
    let began = Instant::now();
    let total = behind(&wait(daemon.status())?);
    let progress = Progress::telling(telling, total, "events projected");
    let run = || Ok(wait(daemon.run_until_caught_up())?);
    following(daemon, progress, run, |shards| {
        total.saturating_sub(behind(shards))
    })?;
    Ok(began.elapsed())
}

/// Shows how far the projections are until they have caught up once, whoever runs them.
pub(super) fn tell_until_caught_up(daemon: &Daemon) {
    let mut progress: Option<(Progress, u64)> = None;
    let mut shown = 0;
    while let Ok(shards) = wait(daemon.status()) {
        let left = behind(&shards);
        if left == 0 {
            break;
        }
        let (progress, total) =
            progress.get_or_insert_with(|| (Progress::of(left, "events projected"), left));
        let done = total.saturating_sub(left);
        progress.advance(done.saturating_sub(shown), count(done));
        shown = shown.max(done);
        thread::sleep(LOOK);
    }
    if let Some((progress, _)) = progress {
        progress.finish();
    }
}

/// How many positions lie before the projections.
fn behind(shards: &[ShardStatus]) -> u64 {
    shards.iter().map(|shard| shard.lag_events).sum()
}

fn count(events: u64) -> usize {
    usize::try_from(events).unwrap_or(usize::MAX)
}

/// Does `work`, and meanwhile shows how far it is.
pub(super) fn following<T>(
    daemon: &Daemon,
    mut progress: Progress,
    work: impl FnOnce() -> Result<T, Failure>,
    done: impl Fn(&[ShardStatus]) -> u64 + Sync,
) -> Result<T, Failure> {
    if progress.told() == Telling::Silent {
        return work();
    }
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let telling = scope.spawn(|| {
            let mut shown = 0;
            loop {
                // What cannot be read now is no reason to stop the work.
                if let Ok(shards) = wait(daemon.status()) {
                    let done = done(&shards);
                    progress.advance(done.saturating_sub(shown), count(done));
                    shown = shown.max(done);
                }
                if over.load(Ordering::SeqCst) {
                    progress.finish();
                    return;
                }
                thread::park_timeout(LOOK);
            }
        });
        let result = work();
        over.store(true, Ordering::SeqCst);
        telling.thread().unpark();
        result
    })
}
