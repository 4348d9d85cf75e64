//! Waiting for events, and for shards to have come far enough (rule P13).

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use ermine_core::{
    Answer, Error, ErrorKind, EventStorage, Include, Position, Read, Result, ShardName, ShardState,
    Storage,
};
use futures_util::future::{Either, select};

use super::clock::{Clock, SystemClock};
use super::control::Control;
use super::options::Options;
use crate::collection::Opened;
use crate::projection::Projection;
use crate::reader::broken_answer;
use crate::runtime::Runtime;

/// How long at least, and at most, between two looks at the shards.
const SOON: Duration = Duration::from_millis(5);
const RARELY: Duration = Duration::from_millis(250);

/// What is stored about shards, by name.
pub(super) async fn shard_states(runtime: &Runtime) -> Result<BTreeMap<ShardName, ShardState>> {
    let answers = runtime.engine.read(&[Read::Shards]).await?;
    match answers.into_iter().next() {
        Some(Answer::Shards(states)) => Ok(states
            .into_iter()
            .map(|state| (state.shard.clone(), state))
            .collect()),
        _ => Err(broken_answer()),
    }
}

/// Waits for events.
pub(super) struct Follower {
    runtime: Arc<Runtime>,
}

impl Follower {
    pub(super) fn of(runtime: &Arc<Runtime>) -> Self {
        Self {
            runtime: runtime.clone(),
        }
    }

    /// Returns once there may be events after `mark`, after `most`, or when the daemon
    /// is told something.
    pub(super) async fn wait(
        &self,
        mark: Position,
        options: &Options,
        most: Duration,
        control: &Control,
        seen: u64,
    ) {
        let hint = async {
            if self.runtime.engine.wait(mark, most).await.is_err() {
                options.clock.sleep(most).await;
            }
        };
        let bound = options.clock.sleep(most);
        let told = control.changed.since(seen);
        select(pin!(hint), pin!(select(bound, pin!(told)))).await;
    }
}

/// Returns once the projections have come to `target`.
///
/// # Errors
///
/// `Timeout`, naming the one that is farthest behind and why.
pub(super) async fn wait_for(
    runtime: &Runtime,
    projections: &[&Arc<dyn Projection>],
    clock: &dyn Clock,
    target: Position,
    at_most: Duration,
) -> Result<()> {
    if projections.is_empty() {
        return Ok(());
    }
    let begun = clock.now();
    let mut pause = SOON;
    loop {
        let seen = runtime.shards.moved.count();
        let states = shard_states(runtime).await?;
        let behind = projections.iter().filter_map(|projection| {
            // One that never ran has no row, and has come nowhere.
            let state = states.get(projection.shard());
            let position = state.map_or(Position::START, |state| state.position);
            (position < target).then_some((position, projection, state))
        });
        let Some((position, laggard, state)) = behind.min_by_key(|(position, ..)| *position) else {
            return Ok(());
        };
        let waited = clock.now().saturating_since(begun);
        let Some(left) = at_most.checked_sub(waited).filter(|left| !left.is_zero()) else {
            return Err(Error::new(
                ErrorKind::Timeout,
                format!(
                    "projection {:?} is at position {position} after {waited:?}, and {target} was waited for: {}",
                    laggard.name(),
                    why(state)
                ),
            ));
        };
        let sleep = clock.sleep(pause.min(left));
        match select(sleep, pin!(runtime.shards.moved.since(seen))).await {
            Either::Left(_) => pause = (pause * 2).min(RARELY),
            Either::Right(_) => pause = SOON,
        }
    }
}

fn why(state: Option<&ShardState>) -> String {
    match state {
        Some(ShardState {
            paused: Some(reason),
            ..
        }) => format!("it is paused because {reason}"),
        Some(ShardState {
            holder: Some(holder),
            ..
        }) => format!("{holder} leads it"),
        _ => "nobody leads it; run the store's daemon".to_owned(),
    }
}

impl Runtime {
    /// Waits, before a read that must see a commit, for the shards that feed what it
    /// reads (rule P13).
    ///
    /// # Errors
    ///
    /// `Timeout`, naming the shard that has not come so far.
    pub(crate) async fn await_shards(&self, opened: &Arc<Opened>, include: Include) -> Result<()> {
        let Some(position) = include.at_least.and_then(|token| token.position()) else {
            return Ok(());
        };
        let projections = self.events.projections.iter();
        let feeding: Vec<_> = projections.filter(|p| p.reaches(opened)).collect();
        let at_most = self.shards.wait_at_most;
        wait_for(self, &feeding, &SystemClock, position, at_most).await
    }
}
