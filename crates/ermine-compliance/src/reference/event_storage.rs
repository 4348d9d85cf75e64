//! The reference store as one that keeps events.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll, Waker};
use std::thread::Thread;
use std::time::{Duration, Instant};

use ermine_core::{
    Error, ErrorKind, EventFilter, EventPage, EventStorage, LeaseOp, LeaseState, Position, Result,
};

use super::ReferenceStore;

impl EventStorage for ReferenceStore {
    async fn events(
        &self,
        after: Position,
        filter: &EventFilter,
        limit: usize,
    ) -> Result<EventPage> {
        let state = self.snapshot([])?;
        Ok(state.events.page(after, filter, limit))
    }

    async fn lease(&self, op: &LeaseOp) -> Result<LeaseState> {
        self.change(|state| state.events.lease(op))
    }

    async fn wait(&self, after: Position, at_most: Duration) -> Result<()> {
        let deadline = Instant::now().checked_add(at_most);
        let mut alarm = None;
        poll_fn(|context| {
            // Registered before the look, so that no commit falls between the two.
            self.wake_at_commit(context.waker().clone());
            let is_over = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if is_over || self.current().events.last() > after {
                return Poll::Ready(Ok(()));
            }
            if let (None, Some(deadline)) = (&alarm, deadline) {
                alarm = Some(Alarm::set(deadline, context)?);
            }
            alarm.iter().for_each(|alarm| alarm.wakes(context));
            Poll::Pending
        })
        .await
    }
}

/// A thread that wakes a task at a time, and ends before it when this is dropped.
struct Alarm {
    waker: Option<Arc<Mutex<Waker>>>,
    thread: Thread,
}

impl Alarm {
    fn set(deadline: Instant, context: &Context<'_>) -> Result<Self> {
        let waker = Arc::new(Mutex::new(context.waker().clone()));
        let waits = Arc::downgrade(&waker);
        let thread = std::thread::Builder::new().spawn(move || ring(deadline, &waits));
        let thread = thread.map_err(|e| {
            Error::new(ErrorKind::Storage, "a thread that waits cannot be started").with_source(e)
        })?;
        Ok(Self {
            waker: Some(waker),
            thread: thread.thread().clone(),
        })
    }

    fn wakes(&self, context: &Context<'_>) {
        if let Some(waker) = &self.waker {
            let mut waker = waker.lock().unwrap_or_else(PoisonError::into_inner);
            waker.clone_from(context.waker());
        }
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        self.waker = None;
        self.thread.unpark();
    }
}

fn ring(deadline: Instant, waits: &Weak<Mutex<Waker>>) {
    loop {
        let Some(waker) = waits.upgrade() else { return };
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            let waker = waker.lock().unwrap_or_else(PoisonError::into_inner);
            waker.wake_by_ref();
            return;
        }
        drop(waker);
        std::thread::park_timeout(left);
    }
}
