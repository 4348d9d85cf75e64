//! Events: streams, their order, the shards that follow it, and what those set aside.

use std::collections::BTreeMap;
use std::sync::Arc;

use ermine_core::{
    Answer, Append, Error, ErrorKind, EventFilter, EventPage, LeaseOp, LeaseState, Mask, NewEvent,
    Op, Parked, ParkedKey, Position, Read, Result, ShardName, ShardRow, StoredEvent, StreamId,
    StreamRange, StreamState, TenantId, Timestamp,
};

/// Everything that is stored beside documents.
#[derive(Debug, Clone, Default)]
pub(super) struct Events {
    /// The last position given; it is not given again, whatever becomes of the event.
    last: Position,
    log: BTreeMap<Position, Arc<StoredEvent>>,
    streams: BTreeMap<(Option<TenantId>, StreamId), StreamState>,
    shards: BTreeMap<ShardName, ShardRow>,
    parked: BTreeMap<ParkedKey, Parked>,
}

impl Events {
    pub(super) fn last(&self) -> Position {
        self.last
    }

    pub(super) fn apply(&mut self, op: &Op) -> Result<()> {
        match op {
            Op::Append(append) => self.append(append),
            Op::Archive { tenant, stream } => {
                if let Some(state) = self.streams.get_mut(&(tenant.clone(), stream.clone())) {
                    state.archived = true;
                }
                Ok(())
            }
            Op::Tombstone { tenant, stream } => {
                if let Some(state) = self.streams.get_mut(&(tenant.clone(), stream.clone())) {
                    state.archived = true;
                }
                self.log
                    .retain(|_, event| event.tenant != *tenant || event.stream != *stream);
                Ok(())
            }
            Op::Mask(mask) => self.mask(mask),
            Op::Advance(advance) => {
                // One that is missing was never leased, so that it is refused.
                let mut row = self.shard(&advance.shard);
                row.advance(advance)?;
                self.shards.insert(advance.shard.clone(), row);
                Ok(())
            }
            Op::Park(parked) => {
                let kept = self.parked.entry(parked.key.clone());
                let kept = kept.or_insert_with(|| parked.clone());
                kept.reason.clone_from(&parked.reason);
                Ok(())
            }
            Op::Unpark(key) => {
                self.parked.remove(key);
                Ok(())
            }
            other => Err(Error::new(
                ErrorKind::Unsupported,
                format!("the reference store does not know the operation {other:?}"),
            )),
        }
    }

    fn append(&mut self, append: &Append) -> Result<()> {
        let key = (append.tenant.clone(), append.stream.clone());
        let found = self.streams.get(&key);
        let mut version = append.judge(found)?;
        if append.events.is_empty() {
            return Ok(());
        }
        let now = Timestamp::now();
        let created = found.map_or(now, |state| state.created);
        for event in &append.events {
            self.refuse_known(event)?;
            version += 1;
            self.last = Position::at(self.last.get() + 1);
            let stored = StoredEvent {
                tenant: append.tenant.clone(),
                stream: append.stream.clone(),
                version,
                position: self.last,
                event: event.clone(),
            };
            self.log.insert(self.last, Arc::new(stored));
        }
        let state = StreamState {
            version,
            archived: false,
            created,
            updated: now,
        };
        self.streams.insert(key, state);
        Ok(())
    }

    fn refuse_known(&self, event: &NewEvent) -> Result<()> {
        let known = self.log.values().find(|stored| stored.event.id == event.id);
        known.map_or(Ok(()), |stored| {
            Err(Error::new(
                ErrorKind::AlreadyExists,
                format!(
                    "an event with the id {} exists already, at version {} of stream {}",
                    event.id, stored.version, stored.stream
                ),
            ))
        })
    }

    fn mask(&mut self, mask: &Mask) -> Result<()> {
        for (version, data) in &mask.data {
            let event = self.log.values_mut().find(|event| {
                event.tenant == mask.tenant
                    && event.stream == mask.stream
                    && event.version == *version
            });
            let event = event.ok_or_else(|| {
                let problem = format!("stream {} has no event {version} to mask", mask.stream);
                Error::new(ErrorKind::Missing, problem)
            })?;
            Arc::make_mut(event).event.data.clone_from(data);
        }
        Ok(())
    }

    fn shard(&self, shard: &ShardName) -> ShardRow {
        self.shards.get(shard).cloned().unwrap_or_default()
    }

    pub(super) fn lease(&mut self, op: &LeaseOp) -> Result<LeaseState> {
        let now = Timestamp::now();
        let before = self.shard(op.shard());
        let mut row = before.clone();
        row.apply(op, now)?;
        let state = row.lease_state(now);
        if row != before {
            self.shards.insert(op.shard().clone(), row);
        }
        Ok(state)
    }

    pub(super) fn page(&self, after: Position, filter: &EventFilter, limit: usize) -> EventPage {
        let end = filter.up_to.map_or(self.last, |up_to| up_to.min(self.last));
        let events: Vec<StoredEvent> = self
            .log
            .values()
            .filter(|event| event.position > after && event.position <= end)
            .filter(|event| !self.is_archived(event))
            .filter(|event| {
                let name = &event.event.event_type;
                filter.types.as_ref().is_none_or(|all| all.contains(name))
            })
            .take(limit)
            .map(|event| StoredEvent::clone(event))
            .collect();
        let last = events.last().map_or(after, |event| event.position);
        let ceiling = if events.len() < limit {
            end.max(after)
        } else {
            last
        };
        EventPage {
            events,
            ceiling,
            mark: self.last,
            given: self.last,
        }
    }

    fn is_archived(&self, event: &StoredEvent) -> bool {
        let key = (event.tenant.clone(), event.stream.clone());
        self.streams.get(&key).is_some_and(|state| state.archived)
    }

    pub(super) fn answer(&self, read: &Read) -> Result<Answer> {
        Ok(match read {
            Read::Stream { range, limit } => Answer::Events(self.stream(range, *limit)),
            Read::StreamState { tenant, stream } => {
                let key = (tenant.clone(), stream.clone());
                Answer::Stream(self.streams.get(&key).cloned())
            }
            Read::Shards => {
                let now = Timestamp::now();
                let shards = self.shards.iter();
                Answer::Shards(
                    shards
                        .map(|(name, row)| row.state(name.clone(), now))
                        .collect(),
                )
            }
            Read::Parked {
                shard,
                after,
                limit,
            } => {
                let parked = self.parked.values();
                let parked = parked
                    .filter(|parked| parked.key.shard == *shard && parked.key.position > *after);
                Answer::Parked(parked.take(*limit).cloned().collect())
            }
            other => {
                return Err(Error::new(
                    ErrorKind::Unsupported,
                    format!("the reference store does not know the read {other:?}"),
                ));
            }
        })
    }

    fn stream(&self, range: &StreamRange, limit: usize) -> Vec<StoredEvent> {
        let events = self.log.values();
        events
            .filter(|event| event.tenant == range.tenant && event.stream == range.stream)
            // A prefix of the stream, so it is judged from its first event on.
            .take_while(|event| range.until.is_none_or(|until| event.event.at <= until))
            .filter(|event| event.version >= range.from)
            .filter(|event| range.to.is_none_or(|to| event.version <= to))
            .take(limit)
            .map(|event| StoredEvent::clone(event))
            .collect()
    }
}
