//! Planning what streams' events make of documents, in the unit that writes them.

use std::collections::{BTreeMap, HashMap};

use ermine_core::{
    DeleteMode, Embedding, Error, ErrorKind, Expected, Id, NewEvent, Op, Position, PutMode,
    RecordParts, Result, StoredEvent, StreamId, StreamRange, StreamState, TenantId, Timestamp,
    new_id,
};

use super::UnitOfWork;
use super::removals::Removals;
use super::streams::{Guard, Role, Streams};
use crate::events::{Events, Folding, Head, MASKED, Snapshot, heads};
use crate::runtime::Context;

/// How many streams are begun to be read in one call.
const STREAMS_AT_ONCE: usize = 100;

/// A stream that a unit touches, where that changes documents.
struct Touched {
    tenant: Option<TenantId>,
    stream: StreamId,
    /// The places of its operations, in their order.
    ops: Vec<usize>,
    /// The snapshots that it changes.
    snapshots: Vec<Snapshot>,
    masked: bool,
    tombstoned: bool,
    /// Whether the plan rests on what is stored.
    reads: bool,
}

/// What becomes of the documents of a stream, and what that rests on.
#[derive(Default)]
struct Planned {
    guard: Option<Guard>,
    mark: Option<(usize, NewEvent)>,
    snapshots: Vec<(Snapshot, Change)>,
    removals: Removals,
}

/// What becomes of a snapshot.
enum Change {
    Put(RecordParts),
    Delete(DeleteMode),
}

impl UnitOfWork {
    /// Folds the streams that the unit touches, its own events included, and plans
    /// their snapshots and removals behind what was recorded. The appends then
    /// expect the version that this rests on.
    pub(super) async fn plan_streams(&mut self, context: &Context) -> Result<()> {
        self.unplan();
        let touched = touched(&self.unit.ops, &context.runtime.events);
        let start = self.unit.ops.len();
        for some in touched.chunks(STREAMS_AT_ONCE) {
            let read = some.iter().filter(|stream| stream.reads);
            let ranges =
                read.map(|read| StreamRange::whole(read.tenant.clone(), read.stream.clone()));
            let mut heads = heads(context, ranges).await?.into_iter();
            for stream in some {
                let head = if stream.reads { heads.next() } else { None };
                let known = Known {
                    ops: &self.unit.ops,
                    streams: &self.streams,
                    events: &context.runtime.events,
                };
                let planned = known.plan(stream, head).await?;
                let adopted = self.adopt(context, stream, planned);
                self.streams.planned = start..self.unit.ops.len();
                adopted?;
            }
        }
        Ok(())
    }

    fn adopt(&mut self, context: &Context, stream: &Touched, planned: Planned) -> Result<()> {
        let Planned {
            guard,
            mark,
            snapshots,
            removals,
        } = planned;
        if let Some(guard) = guard
            && let Some(Op::Append(append)) = self.unit.ops.get_mut(guard.op)
        {
            append.expected = Expected::Version(guard.version);
            self.streams.guards.push(guard);
        }
        if let Some((op, event)) = mark
            && let Some(Op::Append(append)) = self.unit.ops.get_mut(op)
        {
            append.events = vec![event];
        }
        for (snapshot, change) in snapshots {
            let opened = snapshot.opened;
            match change {
                Change::Put(mut parts) => {
                    for (field, part) in parts.vectors.iter_mut().enumerate() {
                        let mut projections = context.runtime.events.projections.iter();
                        if part.embedding == Embedding::Absent
                            && projections.any(|projection| projection.feeds(&opened, field))
                        {
                            part.embedding = Embedding::NotLoaded;
                        }
                    }
                    self.push_put(context, opened, parts, PutMode::Store, None)?;
                }
                Change::Delete(mode) => self.unit.ops.push(Op::Delete {
                    tenant: context.tenant(&opened)?,
                    schema: opened.schema.clone(),
                    id: Id::from(stream.stream.clone()),
                    mode,
                }),
            }
        }
        self.unit.ops.extend(removals.into_ops());
        Ok(())
    }
}

/// The streams of a unit whose documents it changes.
fn touched(ops: &[Op], events: &Events) -> Vec<Touched> {
    let mut streams: BTreeMap<(&Option<TenantId>, &StreamId), Touched> = BTreeMap::new();
    for (at, op) in ops.iter().enumerate() {
        let (Op::Append(ermine_core::Append { tenant, stream, .. })
        | Op::Mask(ermine_core::Mask { tenant, stream, .. })
        | Op::Tombstone { tenant, stream }) = op
        else {
            continue;
        };
        let touched = streams.entry((tenant, stream)).or_insert_with(|| Touched {
            tenant: tenant.clone(),
            stream: stream.clone(),
            ops: Vec::new(),
            snapshots: Vec::new(),
            masked: false,
            tombstoned: false,
            reads: !matches!(op, Op::Append(append)
                if matches!(append.expected, Expected::Missing | Expected::Version(0))),
        });
        touched.ops.push(at);
        touched.masked |= matches!(op, Op::Mask(_));
        touched.tombstoned |= matches!(op, Op::Tombstone { .. });
    }
    let mut touched: Vec<Touched> = streams.into_values().collect();
    for stream in &mut touched {
        let removes = stream.masked || stream.tombstoned;
        let appended = |snapshot: &Snapshot| {
            let appends = stream.ops.iter().filter_map(|op| match ops.get(*op) {
                Some(Op::Append(append)) => Some(&append.events),
                _ => None,
            });
            let mut events = appends.flatten();
            events.any(|event| snapshot.folds(&event.event_type))
        };
        let changed = events.snapshots.iter().filter(|snapshot| {
            snapshot.fits(stream.tenant.as_ref(), &stream.stream) && (removes || appended(snapshot))
        });
        stream.snapshots = changed.cloned().collect();
        if stream.tombstoned && !stream.masked {
            stream.reads = !events.projections.is_empty();
        }
        stream.reads |= stream.masked;
    }
    touched.retain(|stream| !stream.snapshots.is_empty() || stream.reads_for_removal(events));
    touched
}

impl Touched {
    fn reads_for_removal(&self, events: &Events) -> bool {
        self.masked || (self.tombstoned && !events.projections.is_empty())
    }
}

/// What a plan is made from.
struct Known<'a> {
    ops: &'a [Op],
    streams: &'a Streams,
    events: &'a Events,
}

/// What the unit's operations on one stream come to, once its version is known.
#[derive(Default)]
struct Walk<'a> {
    guard: Option<Guard>,
    mark: Option<(usize, NewEvent)>,
    /// The events appended, with their versions.
    appended: Vec<(u64, NewEvent)>,
    masks: HashMap<u64, MaskedBy<'a>>,
    /// Whether the unit cannot be written: the stream that it starts exists.
    hopeless: bool,
}

#[derive(Clone, Copy)]
struct MaskedBy<'a> {
    data: &'a str,
    event_type: Option<&'static str>,
}

impl Known<'_> {
    async fn plan(&self, stream: &Touched, head: Option<Head>) -> Result<Planned> {
        let archived = head.as_ref().is_some_and(Head::archived);
        let mut planned = Planned::default();
        let removed = stream.tombstoned || (stream.masked && archived);
        if stream.tombstoned && head.is_none() {
            planned.snapshots = hard_deletes(stream);
            return Ok(planned);
        }
        let found = head.as_ref().and_then(|head| head.state.as_ref());
        let walk = self.walk(stream, found)?;
        if walk.hopeless {
            return Ok(planned);
        }
        let removes = stream.masked || stream.tombstoned;
        let mut foldings: Vec<Box<dyn Folding>> = Vec::new();
        if !removed {
            foldings.extend(stream.snapshots.iter().map(Snapshot::folding));
        }
        if let Some(Head { mut pages, .. }) = head {
            while let Some(page) = pages.next_stored().await? {
                if removes {
                    planned.removals.of(self.events, &page)?;
                }
                for event in page {
                    self.fold(event, &walk.masks, &mut foldings)?;
                }
            }
        }
        for (version, event) in walk.appended {
            let event = StoredEvent {
                tenant: stream.tenant.clone(),
                stream: stream.stream.clone(),
                version,
                position: Position::START,
                event,
            };
            self.fold(event, &walk.masks, &mut foldings)?;
        }
        planned.guard = walk.guard;
        planned.mark = walk.mark;
        if removed {
            planned.snapshots = hard_deletes(stream);
            return Ok(planned);
        }
        // A hidden document would keep what is masked.
        let delete = if stream.masked {
            DeleteMode::Hard
        } else {
            DeleteMode::Declared
        };
        for (snapshot, folding) in stream.snapshots.iter().zip(&foldings) {
            let change = match snapshot.parts(&**folding, &stream.stream)? {
                Some(parts) => Change::Put(parts),
                None => Change::Delete(delete),
            };
            planned.snapshots.push((snapshot.clone(), change));
        }
        Ok(planned)
    }

    /// Walks a stream's operations in order, as the store will from what was found.
    fn walk(&self, stream: &Touched, found: Option<&StreamState>) -> Result<Walk<'_>> {
        let archived = found.is_some_and(|state| state.archived);
        let mut walk = Walk::default();
        let mut at = found.map_or(0, |state| state.version);
        let mut first = true;
        let mut marked = None;
        for place in &stream.ops {
            match self.ops.get(*place) {
                Some(Op::Append(append)) => {
                    match append.expected {
                        // It rests on the version found; those after it rest on it.
                        Expected::Any if first && !archived && stream.reads => {
                            walk.guard = Some(Guard {
                                op: *place,
                                version: at,
                            });
                        }
                        // Others may bring it to that version before this is written.
                        Expected::Version(_) if first && stream.reads => {
                            append.judge(found)?;
                        }
                        Expected::Missing if at > 0 => walk.hopeless = true,
                        _ => {}
                    }
                    first = false;
                    let mut open = self.streams.open.iter();
                    let is_mark = open.any(|o| o.op == *place && o.role == Role::MaskedMark);
                    if is_mark && !archived {
                        let mark = masked_mark();
                        at += 1;
                        marked = Some(at);
                        walk.appended.push((at, mark.clone()));
                        walk.mark = Some((*place, mark));
                        continue;
                    }
                    for event in &append.events {
                        at += 1;
                        walk.appended.push((at, event.clone()));
                    }
                }
                Some(Op::Mask(mask)) => {
                    let mut typed = self.streams.typed_masks.iter();
                    let event_type = typed.find(|t| t.op == *place).map(|t| t.event_type);
                    for (version, data) in &mask.data {
                        // The mark, whose place is here because of the mask, is none
                        // of the events that the caller knows.
                        if *version > at || marked == Some(*version) {
                            return Err(Error::new(
                                ErrorKind::Missing,
                                format!("stream {} has no event {version} to mask", stream.stream),
                            ));
                        }
                        walk.masks.insert(*version, MaskedBy { data, event_type });
                    }
                }
                _ => {}
            }
        }
        Ok(walk)
    }

    /// Folds an event as it will be once the unit is written.
    fn fold(
        &self,
        mut event: StoredEvent,
        masks: &HashMap<u64, MaskedBy<'_>>,
        foldings: &mut [Box<dyn Folding>],
    ) -> Result<()> {
        let mask = masks.get(&event.version);
        if let Some(MaskedBy { data, event_type }) = mask {
            let stored = &event.event.event_type;
            if event_type.is_some_and(|given| given != stored) {
                return Err(Error::new(
                    ErrorKind::InvalidValue,
                    format!(
                        "event {} of stream {} is stored as a {stored:?}, and a {:?} cannot take its place; give its data in its own shape: `mask_data`",
                        event.version,
                        event.stream,
                        event_type.unwrap_or_default()
                    ),
                ));
            }
            event.event.data = (*data).to_owned();
        }
        if mask.is_none() && foldings.is_empty() {
            return Ok(());
        }
        let event = self.events.types.current(event)?;
        if mask.is_some() {
            let types = &self.events.types;
            let checked = types.check_data(&event.event.event_type, &event.event.data);
            checked.map_err(|cause| {
                Error::new(
                    ErrorKind::InvalidValue,
                    format!(
                        "event {} of stream {}, a {:?}, could not be read any more with the data that is to mask it",
                        event.version, event.stream, event.event.event_type
                    ),
                )
                .with_source(cause)
            })?;
        }
        foldings.iter_mut().try_for_each(|f| f.fold(&event))
    }
}

fn hard_deletes(stream: &Touched) -> Vec<(Snapshot, Change)> {
    let snapshots = stream.snapshots.iter();
    snapshots
        .map(|snapshot| (snapshot.clone(), Change::Delete(DeleteMode::Hard)))
        .collect()
}

/// The event that says that earlier ones of its stream were masked.
fn masked_mark() -> NewEvent {
    NewEvent {
        id: new_id(),
        event_type: MASKED.to_owned(),
        at: Timestamp::now(),
        correlation: None,
        causation: None,
        headers: BTreeMap::new(),
        data: "null".to_owned(),
    }
}
