//! Many times, as a reader wants them.

use std::fmt;
use std::time::Duration;

#[derive(Default)]
pub(crate) struct Times(Vec<Duration>);

impl Times {
    pub(crate) fn add(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// The time that `percent` of them do not exceed.
    pub(crate) fn percentile(&self, percent: usize) -> Duration {
        let mut times = self.0.clone();
        times.sort_unstable();
        let at = (times.len() * percent).div_ceil(100).saturating_sub(1);
        times.get(at).copied().unwrap_or_default()
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let milliseconds = |percent| self.percentile(percent).as_secs_f64() * 1e3;
        write!(
            f,
            "median {:.2} ms, p95 {:.2} ms ({} searches)",
            milliseconds(50),
            milliseconds(95),
            self.0.len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_times_that_were_measured() {
        let mut times = Times::default();
        assert_eq!(times.percentile(50), Duration::ZERO);
        (1..=20)
            .rev()
            .map(Duration::from_millis)
            .for_each(|t| times.add(t));
        assert_eq!(times.percentile(50), Duration::from_millis(10));
        assert_eq!(times.percentile(95), Duration::from_millis(19));
        assert_eq!(times.percentile(100), Duration::from_millis(20));
    }
}
