//! A daemon on a thread of its own.

use std::fmt;
use std::ops::Deref;
use std::thread::JoinHandle;

use super::Daemon;

/// A daemon that runs on a thread of its own. Dropped, it is asked to stop and not
/// waited for; [`stop`](Daemon::stop) waits.
pub struct DaemonHandle {
    daemon: Daemon,
    thread: JoinHandle<()>,
}

impl DaemonHandle {
    pub(super) fn new(daemon: Daemon, thread: JoinHandle<()>) -> Self {
        Self { daemon, thread }
    }

    /// Whether it runs.
    pub fn is_running(&self) -> bool {
        !self.thread.is_finished()
    }
}

impl Deref for DaemonHandle {
    type Target = Daemon;
    fn deref(&self) -> &Daemon {
        &self.daemon
    }
}

impl Drop for DaemonHandle {
    fn drop(&mut self) {
        self.daemon.ask_to_stop();
    }
}

impl fmt::Debug for DaemonHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DaemonHandle")
            .field("daemon", &self.daemon)
            .field("is_running", &self.is_running())
            .finish()
    }
}
