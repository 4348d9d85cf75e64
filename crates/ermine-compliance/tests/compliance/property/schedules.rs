//! Random schedules of appends, archives, tombstones, masks, progress and pages: every
//! handle on a log tells what the reference tells.

use std::collections::BTreeMap;
use std::time::Duration;

use ermine_compliance::{Fixture, ReferenceFixture};
use ermine_core::{
    Advance, Answer, Append, Engine, Epoch, EventFilter, EventStorage, Expected, LeaseOp, Mask,
    NewEvent, Op, Parked, ParkedKey, Position, Read, Result, ShardName, Storage, StreamId,
    StreamRange, TenantId, Timestamp, Unit, new_id,
};

use super::choices::Choices;

const TYPES: [&str; 4] = ["written", "revised", "erased", "Written"];

fn tenant(choices: &mut Choices<'_>) -> Option<TenantId> {
    let name = choices.one_of(&["", "a", "A"]);
    TenantId::new(name).ok()
}

fn stream(choices: &mut Choices<'_>) -> StreamId {
    match choices.below(4) {
        0 => StreamId::from(uuid::Uuid::nil()),
        1 => StreamId::text(uuid::Uuid::nil().to_string()).expect("it is a name"),
        2 => StreamId::text("a").expect("it is a name"),
        _ => StreamId::text("b").expect("it is a name"),
    }
}

fn time(choices: &mut Choices<'_>) -> Timestamp {
    let micros = 1_700_000_000_000_000 + choices.below(8) as i64;
    Timestamp::from_unix_micros(micros).expect("it is in this century")
}

fn event(choices: &mut Choices<'_>) -> NewEvent {
    let name = choices.one_of(&["user", "host"]).to_owned();
    NewEvent {
        id: new_id(),
        event_type: choices.one_of(&TYPES).to_owned(),
        at: time(choices),
        correlation: choices.once_in(3).then(|| "request".to_owned()),
        causation: choices.once_in(3).then(String::new),
        headers: BTreeMap::from_iter(choices.once_in(2).then(|| (name, "Zoë".to_owned()))),
        data: choices.one_of(&["null", "{\"a\": 1.0}", "[ ]"]).to_owned(),
    }
}

fn position(choices: &mut Choices<'_>) -> Position {
    Position::at(choices.below(40) as u64)
}

fn shard(choices: &mut Choices<'_>) -> ShardName {
    ShardName::new(choices.one_of(&["one", "two"]))
}

fn key(choices: &mut Choices<'_>) -> ParkedKey {
    ParkedKey {
        shard: shard(choices),
        position: Position::at(choices.below(5) as u64),
    }
}

fn op(choices: &mut Choices<'_>) -> Op {
    let (tenant, stream) = (tenant(choices), stream(choices));
    match choices.below(14) {
        8 => Op::Archive { tenant, stream },
        9 => Op::Tombstone { tenant, stream },
        10 => Op::Mask(Mask {
            tenant,
            stream,
            data: choices.some(2, |choices| {
                (choices.below(4) as u64, "\"masked\"".to_owned())
            }),
        }),
        11 => Op::Advance(Advance {
            shard: shard(choices),
            epoch: Epoch::at(choices.below(3) as u64),
            from: Position::at(choices.below(3) as u64),
            to: Position::at(choices.below(3) as u64),
        }),
        12 => Op::Park(Parked {
            key: key(choices),
            tenant,
            reason: choices.one_of(&["one", "two"]).to_owned(),
            at: time(choices),
        }),
        13 => Op::Unpark(key(choices)),
        _ => Op::Append(Append {
            tenant,
            stream,
            expected: match choices.below(5) {
                3 => Expected::Missing,
                4 => Expected::Version(choices.below(4) as u64),
                _ => Expected::Any,
            },
            events: choices.some(3, event),
        }),
    }
}

/// What is asked of both.
enum Question {
    Page(Position, EventFilter, usize),
    Read(Read),
}

fn question(choices: &mut Choices<'_>) -> Question {
    let (tenant, stream) = (tenant(choices), stream(choices));
    Question::Read(match choices.below(6) {
        3 => Read::Stream {
            range: StreamRange {
                tenant,
                stream,
                from: choices.below(4) as u64,
                to: choices.once_in(2).then(|| choices.below(6) as u64),
                until: choices.once_in(2).then(|| time(choices)),
            },
            limit: choices.below(6),
        },
        4 => Read::Shards,
        5 => Read::Parked {
            shard: shard(choices),
            after: Position::at(choices.below(4) as u64),
            limit: choices.below(4),
        },
        _ => {
            let types = choices.once_in(2).then(|| {
                let types = choices.some(3, |choices| choices.one_of(&TYPES));
                types.into_iter().map(str::to_owned).collect()
            });
            let filter = EventFilter {
                types,
                up_to: choices.once_in(3).then(|| position(choices)),
            };
            return Question::Page(position(choices), filter, choices.below(7));
        }
    })
}

impl Question {
    async fn answer(&self, engine: &Engine) -> Result<String> {
        match self {
            Self::Page(after, filter, limit) => {
                let page = engine.events(*after, filter, *limit).await?;
                Ok(format!("{page:?}"))
            }
            Self::Read(read) => Ok(format!(
                "{:?}",
                engine.read(std::slice::from_ref(read)).await?
            )),
        }
    }
}

/// The versions of all streams, and whether each is archived; their times are the clocks'.
async fn states(engine: &Engine) -> Result<String> {
    let mut told = Vec::new();
    for choice in 0..12_u32 {
        let numbers = [choice % 3, choice / 3];
        let mut choices = Choices::of(&numbers);
        let (tenant, stream) = (tenant(&mut choices), stream(&mut choices));
        let read = Read::StreamState { tenant, stream };
        let state = match engine.read(&[read]).await?.pop() {
            Some(Answer::Stream(state)) => state,
            other => panic!("a stream's state was read, and {other:?} answered"),
        };
        told.push(state.map(|state| (state.version, state.archived)));
    }
    Ok(format!("{told:?}"))
}

/// Does the same to both, and asks both the same.
pub(super) async fn stores_agree(other: &dyn Fixture, numbers: &[u32]) -> Result<(), String> {
    let failed = |error: ermine_core::Error| format!("{error:?}");
    let reference = ReferenceFixture.fresh().await.map_err(failed)?;
    let other = other.fresh().await.map_err(failed)?;
    let expected = reference.connect().await.map_err(failed)?;
    // Whatever is written by the one handle is told by the other.
    let handles = [
        other.connect().await.map_err(failed)?,
        other.connect().await.map_err(failed)?,
    ];
    for name in ["one", "two"] {
        let take = LeaseOp::Take {
            shard: ShardName::new(name),
            holder: "me".to_owned(),
            lasts: Duration::from_secs(3_600),
        };
        expected.lease(&take).await.map_err(failed)?;
        handles[0].lease(&take).await.map_err(failed)?;
    }
    let mut choices = Choices::of(numbers);
    while choices.are_left() {
        let handle = &handles[choices.below(2)];
        let unit = Unit {
            ops: choices.some(4, op),
        };
        let done = async |engine: &Engine| {
            let committed = engine.commit(&unit).await;
            let told = committed.map(|committed| committed.token.position());
            format!("{:?}", told.map_err(|error| error.kind()))
        };
        let (wanted, done) = (done(&expected).await, done(handle).await);
        if wanted != done {
            return Err(format!("{unit:?}: {wanted}\nand the other: {done}"));
        }
        let handle = &handles[choices.below(2)];
        for question in choices.some(4, question) {
            let wanted = question.answer(&expected).await.map_err(failed)?;
            let found = question.answer(handle).await.map_err(failed)?;
            if wanted != found {
                return Err(format!("{wanted}\nand the other: {found}"));
            }
        }
        let wanted = states(&expected).await.map_err(failed)?;
        let found = states(handle).await.map_err(failed)?;
        if wanted != found {
            return Err(format!("streams {wanted}\nand the other: {found}"));
        }
    }
    Ok(())
}
