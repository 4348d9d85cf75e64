//! How a daemon works.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use ermine_core::new_id;

use super::clock::{Clock, SystemClock};
use crate::ErrorPolicy;

#[derive(Clone)]
pub(super) struct Options {
    pub(super) holder: String,
    pub(super) page_size: usize,
    pub(super) lease: Duration,
    pub(super) poll_least: Duration,
    pub(super) poll_most: Duration,
    pub(super) drain: Duration,
    pub(super) on_error: ErrorPolicy,
    pub(super) on_error_of: HashMap<String, ErrorPolicy>,
    pub(super) provider_attempts: u32,
    pub(super) provider_backoff: Duration,
    pub(super) clock: Arc<dyn Clock>,
}

impl Options {
    pub(super) fn policy(&self, projection: &str) -> ErrorPolicy {
        let own = self.on_error_of.get(projection);
        own.copied().unwrap_or(self.on_error)
    }

    /// How often a lease is renewed.
    pub(super) fn renewal(&self) -> Duration {
        self.lease / 3
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            holder: format!("{}-{}", std::process::id(), new_id()),
            page_size: 500,
            lease: Duration::from_secs(6),
            poll_least: Duration::from_millis(20),
            poll_most: Duration::from_secs(1),
            drain: Duration::from_secs(10),
            on_error: ErrorPolicy::default(),
            on_error_of: HashMap::new(),
            provider_attempts: 8,
            provider_backoff: Duration::from_millis(500),
            clock: Arc::new(SystemClock),
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("holder", &self.holder)
            .field("page_size", &self.page_size)
            .field("lease", &self.lease)
            .finish_non_exhaustive()
    }
}

/// The n-th wait of a series that doubles from `first`, one minute at most.
pub(super) fn backoff(first: Duration, attempt: u32) -> Duration {
    let factor = 1_u32.checked_shl(attempt.min(16)).unwrap_or(u32::MAX);
    first.saturating_mul(factor).min(Duration::from_secs(60))
}
