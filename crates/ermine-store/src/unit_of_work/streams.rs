//! Recording what happens to streams.

use std::ops::Range;

use ermine_core::{Append, Expected, Mask, NewEvent, Op, Result, StreamId, TenantId};

use super::UnitOfWork;
use crate::runtime::Context;

/// What is remembered of a unit's operations on streams, beside the operations.
#[derive(Default)]
pub(super) struct Streams {
    /// The appends that expect nothing of their stream, until they are planned.
    pub(super) open: Vec<OpenAppend>,
    /// The masks whose event was given as one of a type.
    pub(super) typed_masks: Vec<TypedMask>,
    /// The operations that were planned, and not recorded.
    pub(super) planned: Range<usize>,
    /// What the plan rests on.
    pub(super) guards: Vec<Guard>,
}

/// The version at which a stream was found, and must be when the unit is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Guard {
    /// The place of the append that is judged by it.
    pub(super) op: usize,
    pub(super) version: u64,
}

/// An append that expects nothing.
pub(super) struct OpenAppend {
    /// Its place among the operations.
    pub(super) op: usize,
    pub(super) role: Role,
}

/// What an append is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A caller's.
    Events,
    /// A place for the event that says that others are masked.
    MaskedMark,
    /// A place for a guard of the version that a removal was planned on.
    Guard,
}

/// A mask that was given as an event of a type.
pub(super) struct TypedMask {
    /// Its place among the operations.
    pub(super) op: usize,
    pub(super) event_type: &'static str,
}

/// A stream as an operation names it.
type Named = (Option<TenantId>, StreamId);

impl UnitOfWork {
    pub(crate) fn append(
        &mut self,
        context: &Context,
        stream: Result<StreamId>,
        expected: Expected,
        events: Result<Vec<NewEvent>>,
    ) {
        let append = named(context, stream).and_then(|(tenant, stream)| {
            let events =
                events.map_err(|e| e.in_context(format_args!("stream {stream} is appended to")))?;
            for snapshot in &context.runtime.events.snapshots {
                if events.iter().any(|event| snapshot.folds(&event.event_type)) {
                    snapshot.check_fits(tenant.as_ref(), &stream)?;
                }
            }
            Ok(Append {
                tenant,
                stream,
                expected,
                events,
            })
        });
        match append {
            Ok(append) if append.events.is_empty() && expected == Expected::Any => {}
            append => self.record_append(append, Role::Events),
        }
    }

    fn record_append(&mut self, append: Result<Append>, role: Role) {
        let op = self.unit.ops.len();
        if append.as_ref().is_ok_and(|a| a.expected == Expected::Any) {
            self.streams.open.push(OpenAppend { op, role });
        }
        self.record_checked(append.map(Op::Append));
    }

    pub(crate) fn archive(&mut self, context: &Context, stream: Result<StreamId>) {
        let named = named(context, stream);
        self.record(named.map(|(tenant, stream)| Op::Archive { tenant, stream }));
    }

    pub(crate) fn tombstone(&mut self, context: &Context, stream: Result<StreamId>) {
        let named = named(context, stream);
        if let Ok(named) = &named
            && !context.runtime.events.projections.is_empty()
        {
            self.record_append(Ok(placeholder(named)), Role::Guard);
        }
        self.record(named.map(|(tenant, stream)| Op::Tombstone { tenant, stream }));
    }

    pub(crate) fn mask(
        &mut self,
        context: &Context,
        stream: Result<StreamId>,
        version: u64,
        data: Result<String>,
        event_type: Option<&'static str>,
    ) {
        let mask = named(context, stream).and_then(|(tenant, stream)| {
            let data = data.map_err(|e| {
                e.in_context(format_args!("event {version} of stream {stream} is masked"))
            })?;
            Ok(Mask {
                tenant,
                stream,
                data: vec![(version, data)],
            })
        });
        if let Ok(mask) = &mask
            && !self.is_marked(&mask.tenant, &mask.stream)
        {
            let named = (mask.tenant.clone(), mask.stream.clone());
            self.record_append(Ok(placeholder(&named)), Role::MaskedMark);
        }
        if let (Ok(_), Some(event_type)) = (&mask, event_type) {
            let op = self.unit.ops.len();
            self.streams.typed_masks.push(TypedMask { op, event_type });
        }
        self.record(mask.map(Op::Mask));
    }

    /// Whether the unit says already that events of a stream are masked.
    fn is_marked(&self, tenant: &Option<TenantId>, stream: &StreamId) -> bool {
        let taken = self.in_flight.as_ref().map_or(0, |in_flight| in_flight.ops);
        let mut open = self.streams.open.iter();
        open.any(|open| {
            open.op >= taken
                && open.role == Role::MaskedMark
                && matches!(self.unit.ops.get(open.op), Some(Op::Append(append))
                    if append.tenant == *tenant && append.stream == *stream)
        })
    }

    fn record_checked(&mut self, op: Result<Op>) {
        self.record(op.and_then(|op| {
            op.check()?;
            Ok(op)
        }));
    }

    /// Forgets what was planned, and leaves what was recorded.
    pub(super) fn unplan(&mut self) {
        let planned = std::mem::take(&mut self.streams.planned);
        self.remove(planned);
        self.streams.guards.clear();
        for open in &self.streams.open {
            let Some(Op::Append(append)) = self.unit.ops.get_mut(open.op) else {
                continue;
            };
            append.expected = Expected::Any;
            if open.role == Role::MaskedMark {
                append.events.clear();
            }
        }
    }

    /// Removes operations, and moves what refers to those behind them.
    pub(super) fn remove(&mut self, ops: Range<usize>) {
        let ops = ops.start..ops.end.min(self.unit.ops.len());
        if ops.is_empty() {
            return;
        }
        self.unit.ops.drain(ops.clone());
        let stays = |op: &mut usize| {
            if *op >= ops.end {
                *op -= ops.len();
                return true;
            }
            *op < ops.start
        };
        self.embedded.retain_mut(|put| stays(&mut put.op));
        self.streams.open.retain_mut(|open| stays(&mut open.op));
        self.streams
            .typed_masks
            .retain_mut(|mask| stays(&mut mask.op));
    }
}

fn named(context: &Context, stream: Result<StreamId>) -> Result<Named> {
    Ok((context.stream_tenant()?, stream?))
}

/// An append of nothing that expects nothing, to be filled in when it is planned.
fn placeholder((tenant, stream): &Named) -> Append {
    Append {
        tenant: tenant.clone(),
        stream: stream.clone(),
        expected: Expected::Any,
        events: Vec::new(),
    }
}
