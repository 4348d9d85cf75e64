//! Telling tasks that something changed.

use std::future::poll_fn;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

/// Something that happens again and again, and those who wait for it.
#[derive(Default)]
pub(crate) struct Signal {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    count: u64,
    waiting: Vec<Waker>,
}

impl Signal {
    /// How often it happened: what [`since`](Self::since) is given.
    pub(crate) fn count(&self) -> u64 {
        self.lock().count
    }

    /// Lets it happen.
    pub(crate) fn raise(&self) {
        let mut state = self.lock();
        state.count += 1;
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        waiting.into_iter().for_each(Waker::wake);
    }

    /// Returns once it has happened more often than `count` times.
    pub(crate) async fn since(&self, count: u64) {
        poll_fn(|context| {
            let mut state = self.lock();
            if state.count > count {
                return Poll::Ready(());
            }
            let waker = context.waker();
            if !state.waiting.iter().any(|known| known.will_wake(waker)) {
                state.waiting.push(waker.clone());
            }
            Poll::Pending
        })
        .await;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
