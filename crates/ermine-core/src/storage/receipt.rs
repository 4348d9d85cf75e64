//! What became of a unit, also where nobody waited for it.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use super::Committed;
use crate::{Error, ErrorKind, Result};

/// The caller's half of a unit that is handed to a store: a future of what becomes
/// of the unit (rule D12).
///
/// It outlives the call that handed the unit over. Dropping it withdraws a unit that
/// the store has not taken; one that it has taken is written all the same.
///
/// ```
/// use ermine_core::Receipt;
///
/// let (mut receipt, ticket) = Receipt::new();
/// assert!(receipt.withdraw(), "nobody has taken it");
/// assert!(ticket.take().is_none(), "and now nobody can");
///
/// let (mut receipt, ticket) = Receipt::new();
/// let taken = ticket.take();
/// assert!(taken.is_some() && !receipt.withdraw());
/// ```
#[must_use = "dropping it withdraws the unit"]
pub struct Receipt(Arc<Shared>);

/// The store's half: it must be taken before the unit is written. Dropping it says
/// that the unit is not written.
pub struct Ticket(Arc<Shared>);

/// The store's half of a unit that is being written. Dropping it without
/// [`settle`](Self::settle) says that nobody knows whether it was.
pub struct TakenTicket(Arc<Shared>);

#[derive(Default)]
struct Shared(Mutex<State>);

#[derive(Default)]
struct State {
    stage: Stage,
    waker: Option<Waker>,
}

#[derive(Default)]
enum Stage {
    /// Nobody writes it yet.
    #[default]
    Waiting,
    /// Nobody will.
    Withdrawn,
    /// The store writes it.
    Taken,
    /// It is written, or has failed.
    Settled(Result<Committed>),
    /// And that has been told.
    Told,
}

impl Shared {
    /// Every change is one assignment, so a panic elsewhere leaves a state that is whole.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Stage)) {
        let mut state = self.lock();
        change(&mut state.stage);
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    fn withdraw(&self) {
        self.change(|stage| {
            if matches!(stage, Stage::Waiting) {
                *stage = Stage::Withdrawn;
            }
        });
    }
}

impl Receipt {
    /// Both halves.
    pub fn new() -> (Self, Ticket) {
        let shared = Arc::<Shared>::default();
        (Self(Arc::clone(&shared)), Ticket(shared))
    }

    /// Withdraws the unit, unless the store has taken it; whether the unit is certain
    /// not to be written.
    pub fn withdraw(&mut self) -> bool {
        self.0.withdraw();
        self.is_withdrawn()
    }

    /// Whether the store did not take the unit, and cannot any more.
    pub fn is_withdrawn(&self) -> bool {
        matches!(self.0.lock().stage, Stage::Withdrawn)
    }
}

impl Drop for Receipt {
    fn drop(&mut self) {
        self.0.withdraw();
    }
}

impl Future for Receipt {
    type Output = Result<Committed>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = self.0.lock();
        match std::mem::replace(&mut state.stage, Stage::Told) {
            Stage::Settled(outcome) => Poll::Ready(outcome),
            Stage::Withdrawn => {
                state.stage = Stage::Withdrawn;
                Poll::Ready(Err(Error::new(
                    ErrorKind::Closed,
                    "the unit was not taken by the store, and is not written",
                )))
            }
            Stage::Told => Poll::Ready(Err(unknown())),
            waiting @ (Stage::Waiting | Stage::Taken) => {
                state.stage = waiting;
                state.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl Ticket {
    /// Takes the unit, which is then written whoever still waits; `None` where it was
    /// withdrawn and must not be.
    pub fn take(self) -> Option<TakenTicket> {
        let mut taken = false;
        self.0.change(|stage| {
            if matches!(stage, Stage::Waiting) {
                *stage = Stage::Taken;
                taken = true;
            }
        });
        taken.then(|| TakenTicket(Arc::clone(&self.0)))
    }

    /// Whether nobody wants the unit written any more.
    pub fn is_withdrawn(&self) -> bool {
        matches!(self.0.lock().stage, Stage::Withdrawn)
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.0.withdraw();
    }
}

impl TakenTicket {
    /// Tells what became of the unit.
    pub fn settle(self, outcome: Result<Committed>) {
        self.0.change(|stage| *stage = Stage::Settled(outcome));
    }
}

impl Drop for TakenTicket {
    fn drop(&mut self) {
        self.0.change(|stage| {
            if matches!(stage, Stage::Taken) {
                *stage = Stage::Settled(Err(unknown()));
            }
        });
    }
}

fn unknown() -> Error {
    Error::new(
        ErrorKind::OutcomeUnknown,
        "the store was writing the unit and did not tell the outcome: it may be stored or not; read before writing it again",
    )
}

macro_rules! named {
    ($($half:ident),*) => {$(
        impl fmt::Debug for $half {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($half))?;
                f.write_str(match self.0.lock().stage {
                    Stage::Waiting => "(waiting)",
                    Stage::Withdrawn => "(withdrawn)",
                    Stage::Taken => "(taken)",
                    Stage::Settled(_) => "(settled)",
                    Stage::Told => "(told)",
                })
            }
        }
    )*};
}

named!(Receipt, Ticket, TakenTicket);
