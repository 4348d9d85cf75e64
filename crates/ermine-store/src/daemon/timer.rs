//! Waiting without an executor's timer: one thread for the process.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

/// A future that is ready after some time.
pub(super) struct Sleep {
    /// `None` is never.
    until: Option<Instant>,
    number: u64,
}

/// Who is to be woken, by time; the number tells apart those of one time.
type Alarms = BTreeMap<(Instant, u64), Waker>;

struct Timer {
    alarms: Mutex<Alarms>,
    changed: Condvar,
}

impl Sleep {
    pub(super) fn of(time: Duration) -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        Self {
            until: Instant::now().checked_add(time),
            number: NUMBER.fetch_add(1, Ordering::Relaxed),
        }
    }
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let Some(until) = self.until else {
            return Poll::Pending;
        };
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Poll::Ready(());
        }
        let Some(timer) = timer() else {
            // The process cannot start a thread: what waits is this one.
            std::thread::sleep(left);
            return Poll::Ready(());
        };
        let waker = context.waker().clone();
        timer.lock().insert((until, self.number), waker);
        timer.changed.notify_one();
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let (Some(until), Some(timer)) = (self.until, timer()) {
            timer.lock().remove(&(until, self.number));
        }
    }
}

impl Timer {
    fn lock(&self) -> MutexGuard<'_, Alarms> {
        // A waker that panicked left the alarms whole.
        self.alarms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        loop {
            let mut alarms = self.lock();
            let now = Instant::now();
            let later = alarms.split_off(&(now + Duration::from_nanos(1), 0));
            let over = std::mem::replace(&mut *alarms, later);
            if !over.is_empty() {
                drop(alarms);
                over.into_values().for_each(Waker::wake);
                continue;
            }
            let next = alarms.keys().next().map(|(at, _)| *at);
            match next {
                Some(at) => {
                    let rest = at.saturating_duration_since(now);
                    let woken = self.changed.wait_timeout(alarms, rest);
                    drop(woken.unwrap_or_else(PoisonError::into_inner));
                }
                None => {
                    let woken = self.changed.wait(alarms);
                    drop(woken.unwrap_or_else(PoisonError::into_inner));
                }
            }
        }
    }
}

/// The process's timer; `None` where no thread can be started for it.
fn timer() -> Option<&'static Timer> {
    static TIMER: OnceLock<Option<&'static Timer>> = OnceLock::new();
    *TIMER.get_or_init(|| {
        let timer: &'static Timer = Box::leak(Box::new(Timer {
            alarms: Mutex::default(),
            changed: Condvar::new(),
        }));
        let thread = std::thread::Builder::new().name("ermine-timer".to_owned());
        thread.spawn(|| timer.run()).ok().map(|_| timer)
    })
}
