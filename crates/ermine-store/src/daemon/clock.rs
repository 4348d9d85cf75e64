//! The time, as a daemon sees it.

use std::fmt;
use std::time::Duration;

use ermine_core::{BoxFuture, Timestamp};

use super::timer::Sleep;

/// Where a daemon takes the time from, and how it waits. Tests bring their own.
pub trait Clock: Send + Sync + 'static {
    /// The present.
    fn now(&self) -> Timestamp;

    /// Returns after this time has passed on this clock.
    fn sleep(&self, time: Duration) -> BoxFuture<'static, ()>;
}

/// The clock of the system, on any executor: one thread of the process wakes all who wait.
#[derive(Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn sleep(&self, time: Duration) -> BoxFuture<'static, ()> {
        Box::pin(Sleep::of(time))
    }
}

impl fmt::Debug for SystemClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SystemClock")
    }
}
