//! What waits to be written.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use ermine_core::{
    Declaration, LeaseOp, LeaseState, Op, Result, SchemaMode, SchemaReport, TakenTicket, Ticket,
    Unit, VectorWrite,
};
use tokio::sync::{OwnedSemaphorePermit, oneshot};

/// A group holds at most this many bytes, so that no caller waits long for others' data.
const GROUP_BYTES: usize = 4 << 20;

/// A unit at least this large is a group of its own.
const LARGE_UNIT: usize = 1 << 20;

/// How many units a group holds at most.
const GROUP_UNITS: usize = 1_024;

/// Something for the writer to do.
pub(crate) enum Work {
    /// Something with a transaction of its own.
    Alone(Alone),
    /// Write a unit.
    Unit(UnitWork),
}

/// What is never part of a group.
pub(crate) enum Alone {
    /// Make what is stored fit a declaration.
    Ensure {
        declaration: Box<Declaration>,
        mode: SchemaMode,
        reply: oneshot::Sender<Result<SchemaReport>>,
    },
    /// Do something with a shard's lease.
    Lease {
        op: LeaseOp,
        reply: oneshot::Sender<Result<LeaseState>>,
    },
}

/// A unit as it was when it was committed, and where its outcome is told.
pub(crate) struct UnitWork<T = Ticket> {
    pub(crate) unit: Unit,
    pub(crate) ticket: T,
    /// Its place among those that wait, given back when it is written.
    pub(crate) place: OwnedSemaphorePermit,
}

impl UnitWork {
    /// Takes the unit, unless it was withdrawn.
    fn take(self) -> Option<UnitWork<TakenTicket>> {
        Some(UnitWork {
            ticket: self.ticket.take()?,
            unit: self.unit,
            place: self.place,
        })
    }
}

/// What the writer takes at once.
pub(crate) enum Taken {
    /// What has a transaction of its own.
    Alone(Alone),
    /// Units to be committed together.
    Units(Vec<UnitWork<TakenTicket>>),
}

/// The queue in front of the writer.
#[derive(Default)]
pub(crate) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Work>,
    closed: bool,
}

impl Queue {
    /// Adds work, or gives it back where the queue is closed.
    pub(crate) fn push(&self, work: Work) -> Result<(), Work> {
        let mut state = self.lock();
        if state.closed {
            return Err(work);
        }
        state.waiting.push_back(work);
        drop(state);
        self.changed.notify_one();
        Ok(())
    }

    /// Takes no more work; what waits is still done.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// What is next: all that waits, within bounds, without lingering for more.
    /// `None` once the queue is closed and empty.
    pub(crate) fn take(&self) -> Option<Taken> {
        let mut state = self.lock();
        loop {
            if let Some(taken) = state.take() {
                return Some(taken);
            }
            if state.closed {
                return None;
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A thread that panicked while it held the lock left a queue that is whole:
    /// every change of it is one call.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn take(&mut self) -> Option<Taken> {
        let mut units: Vec<UnitWork<TakenTicket>> = Vec::new();
        let mut bytes = 0;
        loop {
            match self.waiting.front() {
                Some(Work::Unit(next)) if next.ticket.is_withdrawn() => {
                    self.waiting.pop_front();
                    continue;
                }
                Some(Work::Unit(next)) if !units.is_empty() => {
                    let size = size_of_unit(&next.unit);
                    let alone = size >= LARGE_UNIT || bytes >= LARGE_UNIT && units.len() == 1;
                    if alone || units.len() >= GROUP_UNITS || bytes + size > GROUP_BYTES {
                        break;
                    }
                }
                Some(Work::Alone(_)) if !units.is_empty() => break,
                _ => {}
            }
            match self.waiting.pop_front() {
                Some(Work::Unit(unit)) => {
                    // It may have been withdrawn since.
                    let Some(unit) = unit.take() else { continue };
                    bytes += size_of_unit(&unit.unit);
                    units.push(unit);
                }
                Some(Work::Alone(alone)) => return Some(Taken::Alone(alone)),
                None => break,
            }
        }
        (!units.is_empty()).then_some(Taken::Units(units))
    }
}

/// About how many bytes a unit writes.
fn size_of_unit(unit: &Unit) -> usize {
    let of_vectors = |writes: &[VectorWrite]| {
        let vectors = writes.iter().map(|write| match write {
            VectorWrite::Set { vector, .. } => vector.len() * 4,
            _ => 0,
        });
        vectors.sum::<usize>()
    };
    let of_op = |op: &Op| match op {
        Op::Put(put) => {
            put.body.len()
                + put.text.as_ref().map_or(0, |text| text.bytes.len())
                + of_vectors(&put.vectors)
        }
        Op::PutVectors { vectors, .. } => of_vectors(vectors),
        Op::Append(append) => {
            let events = append.events.iter().map(|event| event.data.len() + 256);
            events.sum()
        }
        _ => 0,
    };
    unit.ops.iter().map(|op| of_op(op) + 64).sum()
}
