//! What becomes of an event that a projection cannot apply.

use std::time::Duration;

/// What a daemon does when a projection cannot apply an event (rule P10): a selector, a
/// fold or a constructor returned an error or panicked, or the event cannot be read.
///
/// Failures of an embedding provider are none of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ErrorPolicy {
    /// The shard is paused, with the error as the reason. The default.
    #[default]
    Stop,
    /// The event is tried again, and then the shard is paused.
    Retry {
        /// How often at most.
        times: u32,
        /// How long to wait before the first try; each next one waits twice as long.
        backoff: Duration,
    },
    /// The event is set aside, to be replayed, and the shard goes on without it.
    Park,
}
