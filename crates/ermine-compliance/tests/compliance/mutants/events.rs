//! Events and shards, changed on their way in and out.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ermine_core::{
    Answer, Append, Committed, Epoch, EventFilter, EventPage, EventStorage, Expected, LeaseOp,
    LeaseState, Op, ParkedKey, Position, Read, Result, ShardName, ShardState, Storage, StoredEvent,
    StreamId, StreamRange, TenantId, Timestamp, Token, Unit,
};

use super::MutantStore;
use super::mutation::Mutation::{self, *};

/// The most events of a fact or case.
const EVERYTHING: usize = 10_000;

/// The streams that were archived.
#[derive(Default)]
pub(super) struct Archived(Mutex<Vec<(Option<TenantId>, StreamId)>>);

impl EventStorage for MutantStore {
    async fn events(
        &self,
        after: Position,
        filter: &EventFilter,
        limit: usize,
    ) -> Result<EventPage> {
        let mut asked = filter.clone();
        match self.mutation {
            TypesAfterTheLimit | TypesIgnored => asked.types = None,
            UpToIgnored => asked.up_to = None,
            _ => {}
        }
        let mut page = self.inner.events(after, &asked, limit).await?;
        let last = page.events.last().map_or(after, |event| event.position);
        match self.mutation {
            TypesAfterTheLimit => page.events.retain(|event| passes(event, filter)),
            CeilingAtTheMark => page.ceiling = page.mark,
            CeilingAtTheLastEvent => page.ceiling = last,
            MarkGoesBack => {
                let all = self
                    .inner
                    .events(Position::START, &EventFilter::default(), EVERYTHING)
                    .await?;
                page.mark = all.events.last().map_or(Position::START, |e| e.position);
                page.ceiling = page.ceiling.min(page.mark).max(after);
            }
            ArchivedDelivered => {
                let archived = self.archived.0.lock();
                let archived = archived.unwrap_or_else(PoisonError::into_inner).clone();
                for (tenant, stream) in archived {
                    let range = StreamRange::whole(tenant, stream);
                    let hidden = self.stream(range).await?;
                    let here = hidden.into_iter().filter(|event| {
                        event.position > after
                            && event.position <= filter.up_to.unwrap_or(page.mark)
                            && passes(event, filter)
                    });
                    page.events.extend(here);
                }
                page.events.sort_by_key(|event| event.position);
                page.events.dedup_by_key(|event| event.position);
                page.events.truncate(limit);
            }
            _ => {}
        }
        Ok(page)
    }

    async fn lease(&self, op: &LeaseOp) -> Result<LeaseState> {
        let mut op = op.clone();
        let found = self.shard(op.shard()).await?;
        let current = found.as_ref().and_then(|shard| shard.holder.clone());
        match (self.mutation, &mut op) {
            (LeaseForEverybody, LeaseOp::Take { shard, holder, .. })
                if current.as_ref().is_some_and(|has| has != holder) =>
            {
                self.give_up(shard, current).await?;
            }
            (LeaseTakenAnewByItsHolder, LeaseOp::Take { shard, holder, .. }) => {
                self.give_up(shard, Some(holder.clone())).await?;
            }
            (LeaseNeverRunsOut, LeaseOp::Take { lasts, .. }) => {
                *lasts = Duration::from_secs(86_400);
            }
            (GivenUpByAnybody, LeaseOp::GiveUp { holder, .. }) => {
                *holder = current.unwrap_or_default();
            }
            (PauseForgotten, LeaseOp::Pause { reason, .. }) => *reason = None,
            (RebuildUnguarded, LeaseOp::Rebuild { epoch, .. }) => {
                *epoch = found.map_or(*epoch, |shard| shard.epoch);
            }
            _ => {}
        }
        let mut state = self.inner.lease(&op).await?;
        if self.mutation == EpochStays && state.epoch != Epoch::default() {
            state.epoch = Epoch::at(1);
        }
        Ok(state)
    }

    async fn wait(&self, after: Position, at_most: Duration) -> Result<()> {
        self.inner.wait(after, at_most).await
    }
}

fn passes(event: &StoredEvent, filter: &EventFilter) -> bool {
    let name = &event.event.event_type;
    filter.types.as_ref().is_none_or(|all| all.contains(name))
}

impl MutantStore {
    async fn stream(&self, range: StreamRange) -> Result<Vec<StoredEvent>> {
        let read = Read::Stream {
            range,
            limit: EVERYTHING,
        };
        match self.inner.read(&[read]).await?.pop() {
            Some(Answer::Events(events)) => Ok(events),
            _ => Ok(Vec::new()),
        }
    }

    async fn shard(&self, name: &ShardName) -> Result<Option<ShardState>> {
        match self.inner.read(&[Read::Shards]).await?.pop() {
            Some(Answer::Shards(shards)) => {
                Ok(shards.into_iter().find(|state| state.shard == *name))
            }
            _ => Ok(None),
        }
    }

    async fn give_up(&self, shard: &ShardName, holder: Option<String>) -> Result<LeaseState> {
        let op = LeaseOp::GiveUp {
            shard: shard.clone(),
            holder: holder.unwrap_or_default(),
        };
        self.inner.lease(&op).await
    }

    /// What an operation becomes.
    pub(super) async fn event_op(&self, mut op: Op) -> Result<Vec<Op>> {
        match (self.mutation, &mut op) {
            (ExpectationIgnored, Op::Append(append)) => append.expected = Expected::Any,
            (
                TenantsShareStreams,
                Op::Append(Append { tenant, .. })
                | Op::Archive { tenant, .. }
                | Op::Tombstone { tenant, .. },
            ) => *tenant = None,
            (ArchivedDelivered, Op::Archive { tenant, stream }) => {
                let archived = self.archived.0.lock();
                let mut archived = archived.unwrap_or_else(PoisonError::into_inner);
                archived.push((tenant.clone(), stream.clone()));
            }
            (TombstoneArchives, Op::Tombstone { tenant, stream }) => {
                return Ok(vec![Op::Archive {
                    tenant: tenant.clone(),
                    stream: stream.clone(),
                }]);
            }
            (MaskOfNothingDoesNothing, Op::Mask(mask)) => {
                let range = StreamRange::whole(mask.tenant.clone(), mask.stream.clone());
                let there = self.stream(range).await?;
                let is_there = |version: u64| there.iter().any(|event| event.version == version);
                mask.data.retain(|(version, _)| is_there(*version));
            }
            (HeadersForgotten, Op::Append(append)) => {
                append.events.iter_mut().for_each(|e| e.headers.clear());
            }
            (CausesForgotten, Op::Append(append)) => {
                append.events.iter_mut().for_each(|e| e.causation = None);
            }
            (TimesInMilliseconds, Op::Append(append)) => {
                for event in &mut append.events {
                    let micros = event.at.unix_micros();
                    event.at = Timestamp::from_unix_micros(micros - micros.rem_euclid(1_000))?;
                }
            }
            (DataRewritten, Op::Append(append)) => {
                for event in &mut append.events {
                    let data = serde_json::from_str::<serde_json::Value>(&event.data);
                    event.data = data.map_or_else(|_| event.data.clone(), |data| data.to_string());
                }
            }
            (UnguardedProgress | EpochIgnored | FloorIgnored, Op::Advance(advance)) => {
                let Some(found) = self.shard(&advance.shard).await? else {
                    return Ok(vec![op]);
                };
                if self.mutation != FloorIgnored {
                    advance.epoch = found.epoch;
                }
                if self.mutation != EpochIgnored {
                    advance.from = found.position;
                }
            }
            (ParkReplaces, Op::Park(parked)) => {
                return Ok(vec![Op::Unpark(ParkedKey::clone(&parked.key)), op]);
            }
            (ArchiveForgotten, Op::Archive { .. })
            | (MaskForgotten, Op::Mask(_))
            | (ParkForgets, Op::Park(_))
            | (UnparkForgets, Op::Unpark(_))
            | (VectorsAloneForgotten, Op::PutVectors { .. }) => return Ok(Vec::new()),
            _ => {}
        }
        Ok(vec![op])
    }

    /// Commits some of the operations by themselves, and returns the rest.
    pub(super) async fn committed_apart(
        &self,
        ops: Vec<Op>,
        apart: impl Fn(&Op) -> bool,
    ) -> Result<Vec<Op>> {
        let (ops, rest): (Vec<Op>, Vec<Op>) = ops.into_iter().partition(apart);
        // One whose other half would be empty is whole.
        if ops.is_empty() || rest.is_empty() {
            return Ok(ops.into_iter().chain(rest).collect());
        }
        self.inner.commit(&Unit { ops }).await?;
        Ok(rest)
    }
}

impl Mutation {
    pub(super) fn event_read(self, read: &mut Read) {
        match (self, read) {
            (UntilIsAFilter, Read::Stream { range, .. }) => range.until = None,
            (RangeIgnored, Read::Stream { range, .. }) => (range.from, range.to) = (1, None),
            (
                TenantsShareStreams,
                Read::Stream {
                    range: StreamRange { tenant, .. },
                    ..
                }
                | Read::StreamState { tenant, .. },
            ) => *tenant = None,
            _ => {}
        }
    }

    pub(super) fn event_answers(self, asked: &[Read], answers: &mut [Answer]) {
        for (read, answer) in asked.iter().zip(answers) {
            if let (UntilIsAFilter, Read::Stream { range, .. }, Answer::Events(events)) =
                (self, read, answer)
            {
                let until = range.until;
                events.retain(|event| until.is_none_or(|until| event.event.at <= until));
            }
        }
    }

    pub(super) fn committed(self, committed: Result<Committed>) -> Result<Committed> {
        match (self, committed) {
            (TokenWithoutPosition, Ok(committed)) => Ok(Committed {
                token: Token::at(committed.token.commit()),
            }),
            (_, committed) => committed,
        }
    }
}
