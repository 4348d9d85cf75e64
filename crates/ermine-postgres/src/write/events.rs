//! Writing events, shards and what they set aside, in a unit's transaction.
//!
//! First everything the unit names is held and judged: shards, then the heads of
//! streams, each in one order for all units. Then it registers (see
//! `events/order.rs`), and only then are positions taken. A unit that its
//! expectations refuse has registered nothing.

use std::collections::BTreeMap;

use ermine_core::{
    Append, Error, ErrorKind, Mask, NewEvent, Op, Result as CoreResult, ShardName, ShardRow,
    StreamId, StreamState, TenantId, Timestamp, Unit,
};
use ermine_sql::events::{integer, stored_stream, timestamp};
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Row};

use super::failure::{Failure, Sent, of_statement};
use super::statement::{Statement, send};
use crate::bind::tenant_text;
use crate::error::{corrupt, storage};
use crate::events::{SHARD, shard_row};

const REGISTER: &str = "SELECT pg_advisory_xact_lock_shared(
 (('ermine_positions'::regclass::oid::bigint & 65535) << 48) | (SELECT last_value FROM ermine_positions))";

const MAKE: &str = "INSERT INTO ermine_streams (tenant, kind, id, version, created, updated)
 SELECT u.tenant, u.kind, u.id, 0, $4, $4 FROM unnest($1, $2, $3) WITH ORDINALITY AS u (tenant, kind, id, nr)
 WHERE NOT EXISTS (SELECT 1 FROM ermine_streams AS s
   WHERE s.tenant = u.tenant AND s.id = u.id AND s.kind = u.kind)
 ORDER BY u.nr ON CONFLICT DO NOTHING";

const HOLD: &str =
    "SELECT s.tenant, s.kind, s.id, s.stream, s.version, s.archived, s.created, s.updated
 FROM ermine_streams AS s JOIN unnest($1, $2, $3) AS u (tenant, kind, id)
 ON s.tenant = u.tenant AND s.id = u.id AND s.kind = u.kind
 ORDER BY s.tenant, s.kind, s.id FOR UPDATE OF s";

const INSERT: &str = "INSERT INTO ermine_events
 (position, stream, version, id, type, at, correlation, causation, headers, data)
 SELECT nextval('ermine_positions'), u.stream, u.version, u.id, u.type, u.at, u.correlation, u.causation, u.headers, u.data
 FROM (SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9) WITH ORDINALITY
   AS v (stream, version, id, type, at, correlation, causation, headers, data, nr) ORDER BY v.nr) AS u";

const MOVE: &str = "UPDATE ermine_streams AS s
 SET version = u.version, archived = u.archived, updated = u.updated
 FROM unnest($1, $2, $3, $4) AS u (stream, version, archived, updated) WHERE s.stream = u.stream";

const HIDE: &str = "UPDATE ermine_events SET archived = true WHERE stream = $1";

const REMOVE: &str = "DELETE FROM ermine_events WHERE stream = $1";

const MASK: &str = "UPDATE ermine_events SET data = $3 WHERE stream = $1 AND version = $2";

const ADVANCE: &str = "UPDATE ermine_shards SET position = $2 WHERE shard = $1";

const PARK: &str = "INSERT INTO ermine_parked (shard, position, tenant, reason, at)
 VALUES ($1, $2, $3, $4, $5)
 ON CONFLICT (shard, position) DO UPDATE SET reason = excluded.reason";

const UNPARK: &str = "DELETE FROM ermine_parked WHERE shard = $1 AND position = $2";

/// A stream as it is stored: tenant, kind and id.
type Key = (String, String, String);

/// A stream that is held.
struct Head {
    stream: i64,
    /// `None` for one that this unit has just made.
    state: Option<StreamState>,
    is_moved: bool,
}

/// What is left to be sent of a unit's events, once its documents are written.
pub(super) struct Writing<'u> {
    pub(super) statements: Vec<Statement<'u>>,
    /// Whether it takes positions.
    pub(super) appends: bool,
}

/// Whether a unit has anything here.
pub(super) fn is_of_events(op: &Op) -> bool {
    matches!(
        op,
        Op::Append(_)
            | Op::Archive { .. }
            | Op::Tombstone { .. }
            | Op::Mask(_)
            | Op::Advance(_)
            | Op::Park(_)
            | Op::Unpark(_)
    )
}

/// Holds and judges what a unit names, and says what is to be written of it.
pub(super) async fn begin<'u>(client: &Client, unit: &'u Unit) -> Result<Writing<'u>, Failure> {
    let now = Timestamp::now();
    let mut work = Work {
        now,
        shards: hold_shards(client, unit).await?,
        heads: hold_streams(client, unit, now).await?,
        new: Vec::new(),
        statements: Vec::new(),
        appends: false,
    };
    for op in &unit.ops {
        match op {
            Op::Append(append) => work.append(append)?,
            Op::Archive { tenant, stream } => work.close(tenant.as_ref(), stream, HIDE)?,
            Op::Tombstone { tenant, stream } => work.close(tenant.as_ref(), stream, REMOVE)?,
            Op::Mask(mask) => work.mask(client, mask).await?,
            Op::Advance(advance) => {
                let row = work.shards.entry(&advance.shard).or_default();
                row.advance(advance)?;
                let to = integer(row.position.get());
                let advance = Statement::new(ADVANCE).bind(advance.shard.as_str(), Type::TEXT);
                work.statements.push(advance.bind(to, Type::INT8));
            }
            Op::Park(parked) => work.statements.push(
                Statement::new(PARK)
                    .bind(parked.key.shard.as_str(), Type::TEXT)
                    .bind(integer(parked.key.position.get()), Type::INT8)
                    .bind(tenant_text(parked.tenant.as_ref()), Type::TEXT)
                    .bind(parked.reason.as_str(), Type::TEXT)
                    .bind(parked.at.unix_micros(), Type::INT8),
            ),
            Op::Unpark(key) => work.statements.push(
                Statement::new(UNPARK)
                    .bind(key.shard.as_str(), Type::TEXT)
                    .bind(integer(key.position.get()), Type::INT8),
            ),
            _ => {}
        }
    }
    work.insert()?;
    work.move_heads();
    Ok(Writing {
        statements: work.statements,
        appends: work.appends,
    })
}

async fn hold_shards<'u>(
    client: &Client,
    unit: &'u Unit,
) -> Result<BTreeMap<&'u ShardName, ShardRow>, Failure> {
    let mut shards: BTreeMap<&ShardName, ShardRow> = BTreeMap::new();
    for op in &unit.ops {
        if let Op::Advance(advance) = op {
            shards.insert(&advance.shard, ShardRow::default());
        }
    }
    for (shard, row) in &mut shards {
        let statement = Statement::new(SHARD).bind(shard.as_str(), Type::TEXT);
        if let Some(found) = rows(client, &statement).await?.first() {
            *row = shard_row(found)?;
        }
    }
    Ok(shards)
}

/// Holds the heads of the streams that are named, in their order; those that get their
/// first events are made. Whoever makes a stream holds it before it holds any other, so
/// that nobody who holds one waits for it.
async fn hold_streams(
    client: &Client,
    unit: &Unit,
    now: Timestamp,
) -> Result<BTreeMap<Key, Head>, Failure> {
    let mut named: BTreeMap<Key, bool> = BTreeMap::new();
    for op in &unit.ops {
        let (tenant, stream, makes) = match op {
            Op::Append(append) => (&append.tenant, &append.stream, !append.events.is_empty()),
            Op::Archive { tenant, stream } | Op::Tombstone { tenant, stream } => {
                (tenant, stream, false)
            }
            Op::Mask(mask) => (&mask.tenant, &mask.stream, false),
            _ => continue,
        };
        *named.entry(key(tenant.as_ref(), stream)).or_default() |= makes;
    }
    if named.is_empty() {
        return Ok(BTreeMap::new());
    }
    let new: Vec<&Key> = named
        .iter()
        .filter(|(_, makes)| **makes)
        .map(|(key, _)| key)
        .collect();
    let make = by_key(Statement::new(MAKE), new).bind(now.unix_micros(), Type::INT8);
    let hold = by_key(Statement::new(HOLD), named.keys().collect());
    let make = [make];
    let (made, held) = futures_util::future::join(send(client, &make), rows(client, &hold)).await;
    made?;
    held?.iter().map(|row| Ok(head(row)?)).collect()
}

fn by_key<'a>(statement: Statement<'a>, keys: Vec<&Key>) -> Statement<'a> {
    let of = |part: fn(&Key) -> &String| -> Vec<String> {
        keys.iter().map(|key| part(key).clone()).collect()
    };
    statement
        .bind(of(|key| &key.0), Type::TEXT_ARRAY)
        .bind(of(|key| &key.1), Type::TEXT_ARRAY)
        .bind(of(|key| &key.2), Type::TEXT_ARRAY)
}

fn head(row: &Row) -> CoreResult<(Key, Head)> {
    let failed = || storage("reading a stream's head");
    let text = |at: usize| row.try_get::<_, String>(at).map_err(failed());
    let number = |at: usize| row.try_get::<_, i64>(at).map_err(failed());
    let version = number(4)?.cast_unsigned();
    let state = StreamState {
        version,
        archived: row.try_get(5).map_err(failed())?,
        created: timestamp(number(6)?)?,
        updated: timestamp(number(7)?)?,
    };
    let head = Head {
        stream: number(3)?,
        // No stream is ever committed without an event.
        state: (version > 0).then_some(state),
        is_moved: false,
    };
    Ok(((text(0)?, text(1)?, text(2)?), head))
}

fn key(tenant: Option<&TenantId>, stream: &StreamId) -> Key {
    let (kind, id) = stored_stream(stream);
    (tenant_text(tenant).to_owned(), kind.to_owned(), id)
}

async fn rows(client: &Client, statement: &Statement<'_>) -> Result<Vec<Row>, Failure> {
    statement
        .rows(client)
        .await
        .map_err(|e| of_statement(e, Sent::Statements))
}

/// An event with its place.
struct New<'u> {
    stream: i64,
    version: u64,
    event: &'u NewEvent,
}

struct Work<'u> {
    now: Timestamp,
    shards: BTreeMap<&'u ShardName, ShardRow>,
    heads: BTreeMap<Key, Head>,
    /// Events that no statement has yet.
    new: Vec<New<'u>>,
    statements: Vec<Statement<'u>>,
    appends: bool,
}

impl<'u> Work<'u> {
    fn append(&mut self, append: &'u Append) -> CoreResult<()> {
        let head = self
            .heads
            .get_mut(&key(append.tenant.as_ref(), &append.stream));
        let state = head.as_ref().and_then(|head| head.state.as_ref());
        let before = append.judge(state)?;
        let Some(head) = head.filter(|_| !append.events.is_empty()) else {
            return Ok(());
        };
        let created = head.state.as_ref().map_or(self.now, |state| state.created);
        let last = before + append.events.len() as u64;
        head.state = Some(StreamState {
            version: last,
            archived: false,
            created,
            updated: self.now,
        });
        head.is_moved = true;
        let stream = head.stream;
        let events = (before + 1..).zip(&append.events);
        self.new.extend(events.map(|(version, event)| New {
            stream,
            version,
            event,
        }));
        Ok(())
    }

    /// Closes a stream, and does something with its events.
    fn close(
        &mut self,
        tenant: Option<&TenantId>,
        stream: &StreamId,
        what: &'static str,
    ) -> CoreResult<()> {
        self.insert()?;
        if let Some(head) = self.heads.get_mut(&key(tenant, stream))
            && let Some(state) = &mut head.state
        {
            state.archived = true;
            head.is_moved = true;
            let statement = Statement::new(what).bind(head.stream, Type::INT8);
            self.statements.push(statement);
        }
        Ok(())
    }

    /// Replaces the data of events; at once, since whether they are there has to be known.
    async fn mask(&mut self, client: &Client, mask: &'u Mask) -> Result<(), Failure> {
        self.insert()?;
        send(client, &self.statements).await?;
        self.statements.clear();
        let head = self.heads.get(&key(mask.tenant.as_ref(), &mask.stream));
        let stream = head.map_or(0, |head| head.stream);
        let replacements: Vec<Statement<'_>> = mask
            .data
            .iter()
            .map(|(version, data)| {
                Statement::new(MASK)
                    .bind(stream, Type::INT8)
                    .bind(integer(*version), Type::INT8)
                    .bind(data.as_str(), Type::TEXT)
            })
            .collect();
        let masked = send(client, &replacements).await?;
        for ((version, _), masked) in mask.data.iter().zip(masked) {
            if masked == 0 {
                let message = format!("stream {} has no event {version} to mask", mask.stream);
                return Err(Error::new(ErrorKind::Missing, message).into());
            }
        }
        Ok(())
    }

    /// Makes one statement of the events that have none, behind the registration.
    fn insert(&mut self) -> CoreResult<()> {
        let new = std::mem::take(&mut self.new);
        if new.is_empty() {
            return Ok(());
        }
        if !self.appends {
            self.statements.push(Statement::new(REGISTER));
            self.appends = true;
        }
        let headers: CoreResult<Vec<Option<String>>> =
            new.iter().map(|new| headers(new.event)).collect();
        let numbers = |of: fn(&New<'_>) -> i64| new.iter().map(of).collect::<Vec<i64>>();
        let texts = |of: fn(&'u NewEvent) -> &'u str| {
            new.iter().map(|new| of(new.event)).collect::<Vec<&str>>()
        };
        let optional = |of: fn(&'u NewEvent) -> Option<&'u str>| {
            new.iter()
                .map(|new| of(new.event))
                .collect::<Vec<Option<&str>>>()
        };
        let ids: Vec<uuid::Uuid> = new.iter().map(|new| new.event.id).collect();
        let statement = Statement::new(INSERT)
            .bind(numbers(|new| new.stream), Type::INT8_ARRAY)
            .bind(numbers(|new| integer(new.version)), Type::INT8_ARRAY)
            .bind(ids, Type::UUID_ARRAY)
            .bind(texts(|event| &event.event_type), Type::TEXT_ARRAY)
            .bind(numbers(|new| new.event.at.unix_micros()), Type::INT8_ARRAY)
            .bind(
                optional(|event| event.correlation.as_deref()),
                Type::TEXT_ARRAY,
            )
            .bind(
                optional(|event| event.causation.as_deref()),
                Type::TEXT_ARRAY,
            )
            .bind(headers?, Type::TEXT_ARRAY)
            .bind(texts(|event| &event.data), Type::TEXT_ARRAY);
        self.statements.push(statement);
        Ok(())
    }

    fn move_heads(&mut self) {
        let moved: Vec<(i64, &StreamState)> = self
            .heads
            .values()
            .filter(|head| head.is_moved)
            .filter_map(|head| Some((head.stream, head.state.as_ref()?)))
            .collect();
        if moved.is_empty() {
            return;
        }
        let streams: Vec<i64> = moved.iter().map(|(stream, _)| *stream).collect();
        let versions: Vec<i64> = moved.iter().map(|(_, s)| integer(s.version)).collect();
        let archived: Vec<bool> = moved.iter().map(|(_, s)| s.archived).collect();
        let updated: Vec<i64> = moved.iter().map(|(_, s)| s.updated.unix_micros()).collect();
        self.statements.push(
            Statement::new(MOVE)
                .bind(streams, Type::INT8_ARRAY)
                .bind(versions, Type::INT8_ARRAY)
                .bind(archived, Type::BOOL_ARRAY)
                .bind(updated, Type::INT8_ARRAY),
        );
    }
}

fn headers(event: &NewEvent) -> CoreResult<Option<String>> {
    let headers = (!event.headers.is_empty()).then(|| serde_json::to_string(&event.headers));
    headers.transpose().map_err(|e| {
        corrupt("the headers of an event cannot be written as JSON".to_owned()).with_source(e)
    })
}
