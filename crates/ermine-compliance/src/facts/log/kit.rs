//! What facts of events are written with.

use std::time::Duration;

use ermine_core::{
    Advance, Answer, Append, Committed, Engine, Epoch, ErrorKind, EventFilter, EventPage,
    EventStorage, Expected, Feature, LeaseOp, LeaseState, Mask, NewEvent, Op, Parked, ParkedKey,
    Position, Read, Result, ShardName, ShardState, Storage, StoredEvent, StreamId, StreamRange,
    StreamState, TenantId, Timestamp, Unit, new_id,
};

use crate::facts::World;
use crate::facts::kit::refused;

/// The time at which events of facts happen, unless they say otherwise.
pub(super) const THEN: i64 = 1_700_000_000_123_456;

/// As long as no fact lasts.
pub(super) const LONG: Duration = Duration::from_secs(3_600);

/// A store that keeps events.
pub(super) struct Log {
    pub(super) engine: Engine,
    pub(super) world: World,
}

impl Log {
    /// The store of a world, or nothing where it keeps no events, and says so to every
    /// call that is about them.
    pub(super) async fn of(world: World) -> Result<Option<Self>> {
        let engine = world.engine().await?;
        let keeps = engine.capabilities().features.contains(&Feature::Events);
        let log = Self { engine, world };
        if keeps {
            return Ok(Some(log));
        }
        log.refuses().await?;
        Ok(None)
    }

    async fn refuses(&self) -> Result<()> {
        let store = self.engine.capabilities().store;
        let mentions = ["events", store];
        let is_refused = |result: Result<()>| {
            refused(result, ErrorKind::Unsupported, &mentions);
        };
        let (shard, key) = (shard("s"), key("s", 1));
        for op in [
            append("a", Expected::Any, ["happened"]),
            archive("a"),
            tombstone("a"),
            mask("a", [(1, "null")]),
            advance("s", Epoch::at(1), 0, 1),
            park("s", 1, "why"),
            Op::Unpark(key),
        ] {
            is_refused(self.commit([op]).await.map(drop));
        }
        for read in [
            Read::Stream {
                range: whole("a"),
                limit: 1,
            },
            Read::StreamState {
                tenant: None,
                stream: named("a"),
            },
            Read::Shards,
            Read::Parked {
                shard: shard.clone(),
                after: Position::START,
                limit: 1,
            },
        ] {
            is_refused(self.engine.read(&[read]).await.map(drop));
        }
        is_refused(self.page(0, &EventFilter::default(), 1).await.map(drop));
        is_refused(self.take("s", "me", LONG).await.map(drop));
        let waited = self.engine.wait(Position::START, Duration::ZERO).await;
        is_refused(waited);
        Ok(())
    }

    /// The same database, opened again.
    pub(super) async fn another(&self) -> Result<Engine> {
        self.world.engine().await
    }

    /// Commits operations, in one unit.
    pub(super) async fn commit(&self, ops: impl IntoIterator<Item = Op>) -> Result<Committed> {
        commit(&self.engine, ops).await
    }

    pub(super) async fn stream(&self, range: StreamRange) -> Result<Vec<StoredEvent>> {
        let read = Read::Stream {
            range,
            limit: 1_000,
        };
        match self.engine.read(&[read]).await?.as_slice() {
            [Answer::Events(events)] => Ok(events.clone()),
            other => panic!("a stream was read, and {other:?} answered"),
        }
    }

    /// What the events of a stream without a tenant hold, by version.
    pub(super) async fn data(&self, stream: &str) -> Result<Vec<String>> {
        let events = self.stream(whole(stream)).await?;
        Ok(events.into_iter().map(|event| event.event.data).collect())
    }

    pub(super) async fn state(&self, stream: impl Into<StreamKey>) -> Result<Option<StreamState>> {
        let StreamKey(tenant, stream) = stream.into();
        let read = Read::StreamState { tenant, stream };
        match self.engine.read(&[read]).await?.as_slice() {
            [Answer::Stream(state)] => Ok(state.clone()),
            other => panic!("a stream's state was read, and {other:?} answered"),
        }
    }

    /// The version of a stream; 0 where there is none.
    pub(super) async fn version(&self, stream: &str) -> Result<u64> {
        Ok(self.state(stream).await?.map_or(0, |state| state.version))
    }

    pub(super) async fn page(
        &self,
        after: u64,
        filter: &EventFilter,
        limit: usize,
    ) -> Result<EventPage> {
        self.engine.events(Position::at(after), filter, limit).await
    }

    /// Every event, from the start.
    pub(super) async fn all(&self) -> Result<Vec<StoredEvent>> {
        let page = self.page(0, &EventFilter::default(), 10_000).await?;
        assert_eq!(page.ceiling, page.mark);
        Ok(page.events)
    }

    pub(super) async fn mark(&self) -> Result<Position> {
        Ok(self.page(0, &EventFilter::default(), 0).await?.mark)
    }

    pub(super) async fn lease(&self, op: LeaseOp) -> Result<LeaseState> {
        self.engine.lease(&op).await
    }

    pub(super) async fn take(
        &self,
        shard_name: &str,
        holder: &str,
        lasts: Duration,
    ) -> Result<LeaseState> {
        self.lease(take(shard_name, holder, lasts)).await
    }

    pub(super) async fn shards(&self) -> Result<Vec<ShardState>> {
        match self.engine.read(&[Read::Shards]).await?.as_slice() {
            [Answer::Shards(shards)] => Ok(shards.clone()),
            other => panic!("shards were read, and {other:?} answered"),
        }
    }

    /// Where a shard is; at the start where there is none.
    pub(super) async fn progress(&self, shard_name: &str) -> Result<Position> {
        let shards = self.shards().await?;
        let found = shards.iter().find(|state| state.shard == shard(shard_name));
        Ok(found.map_or(Position::START, |state| state.position))
    }

    pub(super) async fn parked(
        &self,
        shard_name: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Parked>> {
        let read = Read::Parked {
            shard: shard(shard_name),
            after: Position::at(after),
            limit,
        };
        match self.engine.read(&[read]).await?.as_slice() {
            [Answer::Parked(parked)] => Ok(parked.clone()),
            other => panic!("parked events were read, and {other:?} answered"),
        }
    }
}

pub(super) async fn commit(
    engine: &Engine,
    ops: impl IntoIterator<Item = Op>,
) -> Result<Committed> {
    let ops = ops.into_iter().collect();
    engine.commit(&Unit { ops }).await
}

/// A stream and whose it is.
pub(super) struct StreamKey(Option<TenantId>, StreamId);

impl From<&str> for StreamKey {
    fn from(name: &str) -> Self {
        Self(None, named(name))
    }
}

impl From<StreamId> for StreamKey {
    fn from(stream: StreamId) -> Self {
        Self(None, stream)
    }
}

impl From<(&str, &str)> for StreamKey {
    fn from((tenant, name): (&str, &str)) -> Self {
        Self(Some(of_tenant(tenant)), named(name))
    }
}

pub(super) fn named(name: &str) -> StreamId {
    StreamId::text(name).unwrap()
}

pub(super) fn of_tenant(name: &str) -> TenantId {
    TenantId::new(name).unwrap()
}

pub(super) fn whole(stream: impl Into<StreamKey>) -> StreamRange {
    let StreamKey(tenant, stream) = stream.into();
    StreamRange::whole(tenant, stream)
}

pub(super) fn at(micros: i64) -> Timestamp {
    Timestamp::from_unix_micros(micros).unwrap()
}

/// An event of a type, without anything else to it.
pub(super) fn event(event_type: &str) -> NewEvent {
    NewEvent {
        id: new_id(),
        event_type: event_type.to_owned(),
        at: at(THEN),
        correlation: None,
        causation: None,
        headers: Default::default(),
        data: "null".to_owned(),
    }
}

pub(super) fn holding(event_type: &str, data: &str) -> NewEvent {
    NewEvent {
        data: data.to_owned(),
        ..event(event_type)
    }
}

/// An append of events of these types.
pub(super) fn append<const N: usize>(
    stream: impl Into<StreamKey>,
    expected: Expected,
    types: [&str; N],
) -> Op {
    append_events(stream, expected, types.map(event))
}

pub(super) fn append_events(
    stream: impl Into<StreamKey>,
    expected: Expected,
    events: impl IntoIterator<Item = NewEvent>,
) -> Op {
    let StreamKey(tenant, stream) = stream.into();
    Op::Append(Append {
        tenant,
        stream,
        expected,
        events: events.into_iter().collect(),
    })
}

pub(super) fn archive(stream: impl Into<StreamKey>) -> Op {
    let StreamKey(tenant, stream) = stream.into();
    Op::Archive { tenant, stream }
}

pub(super) fn tombstone(stream: impl Into<StreamKey>) -> Op {
    let StreamKey(tenant, stream) = stream.into();
    Op::Tombstone { tenant, stream }
}

pub(super) fn mask<const N: usize>(stream: impl Into<StreamKey>, data: [(u64, &str); N]) -> Op {
    let StreamKey(tenant, stream) = stream.into();
    let data = data.map(|(version, data)| (version, data.to_owned()));
    Op::Mask(Mask {
        tenant,
        stream,
        data: data.into(),
    })
}

pub(super) fn shard(name: &str) -> ShardName {
    ShardName::new(name)
}

pub(super) fn take(shard_name: &str, holder: &str, lasts: Duration) -> LeaseOp {
    LeaseOp::Take {
        shard: shard(shard_name),
        holder: holder.to_owned(),
        lasts,
    }
}

pub(super) fn advance(shard_name: &str, epoch: Epoch, from: u64, to: u64) -> Op {
    Op::Advance(Advance {
        shard: shard(shard_name),
        epoch,
        from: Position::at(from),
        to: Position::at(to),
    })
}

pub(super) fn key(shard_name: &str, position: u64) -> ParkedKey {
    ParkedKey {
        shard: shard(shard_name),
        position: Position::at(position),
    }
}

pub(super) fn park(shard_name: &str, position: u64, reason: &str) -> Op {
    Op::Park(Parked {
        key: key(shard_name, position),
        tenant: None,
        reason: reason.to_owned(),
        at: at(THEN),
    })
}

/// A filter of events by their types.
pub(super) fn only<const N: usize>(types: [&str; N]) -> EventFilter {
    EventFilter {
        types: Some(types.map(str::to_owned).into()),
        up_to: None,
    }
}

/// The places of events, as numbers.
pub(super) fn positions(events: &[StoredEvent]) -> Vec<u64> {
    events.iter().map(|event| event.position.get()).collect()
}

/// The streams and versions of events.
pub(super) fn places(events: &[StoredEvent]) -> Vec<(String, u64)> {
    let place = |event: &StoredEvent| (event.stream.to_string(), event.version);
    events.iter().map(place).collect()
}
