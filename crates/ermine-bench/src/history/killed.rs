//! Processes that are killed while they replay, and others that go on.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::time::{Duration, Instant};

use ermine::{Engine, Position, Store};

use super::log::History;
use super::model::{Counting, Model};
use super::replayed::{import, open, rows};
use crate::Result;
use crate::child::Process;
use crate::place::Place;
use crate::random::Random;

const LIVES: usize = 20;
const INSIDE: usize = 15;
const PAGE: usize = 7;

/// What ends a process at once.
const SIGKILL: i32 = 9;

/// What ends one that writes beyond what it may.
const SIGXFSZ: i32 = 25;

/// How long a process may take for its part.
const PATIENCE: Duration = Duration::from_secs(120);

/// What is killed: it appends what is missing, an event in a unit, while the daemon runs.
pub(crate) async fn child(place: &Place, folder: &Path) -> Result<()> {
    let history = History::read(folder)?;
    let store = open(place, &Counting::new(Model::cheap())).await?;
    let daemon = store.daemon().page_size(PAGE);
    let daemon = daemon
        .lease(Duration::from_millis(200))
        .polling(Duration::from_millis(1), Duration::from_millis(10));
    let running = daemon.spawn()?;
    import(&store, &history, 1).await?;
    daemon.catch_up(PATIENCE).await?;
    running.stop().await;
    Ok(())
}

/// Twenty processes killed by signal 9, each after it came a random part of the way and a
/// random moment more.
pub(super) async fn by_signal(
    place: &Place,
    folder: &Path,
    history: &History,
) -> Result<Vec<String>> {
    let store = open(place, &Counting::new(Model::cheap())).await?;
    let mut random = Random::new(7);
    let steps: Vec<u64> = (1..=(2 * history.lines.len() / 25) as u64).collect();
    let moments: Vec<u64> = (0..20_000).collect();
    let mut stopped = Vec::new();
    for _ in 0..LIVES {
        let begun = progress(&store).await?;
        let goal = begun.get() + random.of(&steps).copied().unwrap_or(1);
        let mut process =
            Process::start(&["history", &place.to_string(), &folder.display().to_string()])?;
        let since = Instant::now();
        while progress(&store).await?.get() < goal && process.ended()?.is_none() {
            if since.elapsed() > PATIENCE {
                return Err(format!("nothing goes on after {} kills", stopped.len()).into());
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        tokio::time::sleep(Duration::from_micros(
            random.of(&moments).copied().unwrap_or(0),
        ))
        .await;
        let status = process.kill()?;
        if status.signal() != Some(SIGKILL) && !status.success() {
            return Err(
                format!("a process that was to be killed ended otherwise: {status}").into(),
            );
        }
        stopped.push(progress(&store).await?);
    }
    finish(place, folder, &store, "signal 9", &stopped).await
}

/// As many killed by the system in the middle of what they write of a commit or a
/// checkpoint, which is torn there.
pub(super) async fn in_commits(file: &Path, folder: &Path) -> Result<Vec<String>> {
    let place = Place::File(file.to_owned());
    let store = open(&place, &Counting::new(Model::cheap())).await?;
    let mut random = Random::new(11);
    let more: Vec<u64> = (16..1_600).collect();
    let log = std::path::PathBuf::from(format!("{}-wal", file.display()));
    let mut stopped = Vec::new();
    for _ in 0..LIVES {
        let written = std::fs::metadata(&log).map_or(0, |file| file.len()) / 512;
        let blocks = written + random.of(&more).copied().unwrap_or(16);
        let arguments = ["history", &place.to_string(), &folder.display().to_string()];
        let mut process = Process::start_limited(blocks, &arguments)?;
        let since = Instant::now();
        let status = loop {
            if let Some(status) = process.ended()? {
                break status;
            }
            if since.elapsed() > PATIENCE {
                return Err(format!("nothing goes on after {} kills", stopped.len()).into());
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        };
        if status.signal() == Some(SIGXFSZ) {
            stopped.push(progress(&store).await?);
        } else if !status.success() {
            return Err(
                format!("a process that was to be cut off ended otherwise: {status}").into(),
            );
        }
    }
    finish(&place, folder, &store, "a write cut off", &stopped).await
}

/// Lets a process come to the end, and counts the kills that met the log in between.
async fn finish(
    place: &Place,
    folder: &Path,
    store: &Store<Engine>,
    what: &str,
    stopped: &[Position],
) -> Result<Vec<String>> {
    Process::start(&["history", &place.to_string(), &folder.display().to_string()])?.output()?;
    let end = progress(store).await?;
    let inside = stopped
        .iter()
        .filter(|at| Position::START < **at && **at < end);
    let (inside, all) = (inside.count(), stopped.len());
    let places: Vec<u64> = stopped.iter().map(|at| at.get()).collect();
    println!(
        "killed by {what}: {all} times, {inside} of them inside the log, at {places:?} of {}",
        end.get()
    );
    if inside < INSIDE {
        return Err(format!("only {inside} of {all} kills were inside the log").into());
    }
    rows(store).await
}

async fn progress(store: &Store<Engine>) -> Result<Position> {
    let status = store.daemon().status().await?;
    Ok(status
        .first()
        .map_or(Position::START, |shard| shard.position))
}
