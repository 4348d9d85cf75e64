//! What a shard does, told to the recorder of the `metrics` crate that the application
//! installed: nothing at all without the feature `metrics`.

use std::sync::Arc;

use ermine_core::ShardName;

/// What is counted of a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Count {
    Events,
    Written,
    Unchanged,
    Removed,
    Parked,
    Calls,
    Texts,
    Tokens,
}

/// What is measured of a shard that this process leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gauge {
    Position,
    LagEvents,
    LagSeconds,
    Leads,
}

/// Which shard it is that something is told of.
#[derive(Debug)]
pub(super) struct Labels {
    projection: Arc<str>,
    shard: Arc<str>,
}

impl Labels {
    pub(super) fn of(projection: &str, shard: &ShardName) -> Self {
        Self {
            projection: projection.into(),
            shard: shard.as_str().into(),
        }
    }
}

#[cfg(feature = "metrics")]
mod told {
    use metrics::{Unit, counter, describe_counter, describe_gauge, gauge};

    use super::{Count, Gauge, Labels};

    const COUNTS: [Count; 8] = [
        Count::Events,
        Count::Written,
        Count::Unchanged,
        Count::Removed,
        Count::Parked,
        Count::Calls,
        Count::Texts,
        Count::Tokens,
    ];

    const GAUGES: [Gauge; 4] = [
        Gauge::Position,
        Gauge::LagEvents,
        Gauge::LagSeconds,
        Gauge::Leads,
    ];

    impl Count {
        fn name(self) -> &'static str {
            match self {
                Self::Events => "ermine_shard_events_applied_total",
                Self::Written => "ermine_shard_rows_written_total",
                Self::Unchanged => "ermine_shard_rows_unchanged_total",
                Self::Removed => "ermine_shard_rows_removed_total",
                Self::Parked => "ermine_shard_events_parked_total",
                Self::Calls => "ermine_shard_provider_calls_total",
                Self::Texts => "ermine_shard_texts_embedded_total",
                Self::Tokens => "ermine_shard_tokens_embedded_total",
            }
        }

        fn help(self) -> &'static str {
            match self {
                Self::Events => "Events that this process applied.",
                Self::Written => "Rows that this process wrote.",
                Self::Unchanged => "Rows whose text was as before, so that nothing was embedded.",
                Self::Removed => "Rows that this process removed.",
                Self::Parked => "Events that this process set aside.",
                Self::Calls => "Calls of an embedding provider, failed ones included.",
                Self::Texts => "Texts that were embedded.",
                Self::Tokens => "Tokens of the texts that were embedded.",
            }
        }
    }

    impl Gauge {
        fn name(self) -> &'static str {
            match self {
                Self::Position => "ermine_shard_position",
                Self::LagEvents => "ermine_shard_lag_events",
                Self::LagSeconds => "ermine_shard_lag_seconds",
                Self::Leads => "ermine_shard_leads",
            }
        }

        fn unit(self) -> Unit {
            match self {
                Self::LagSeconds => Unit::Seconds,
                Self::Position | Self::LagEvents | Self::Leads => Unit::Count,
            }
        }

        fn help(self) -> &'static str {
            match self {
                Self::Position => "Every event up to this position is applied.",
                Self::LagEvents => "Positions of the log that are not applied.",
                Self::LagSeconds => "Age of the first event that is not applied.",
                Self::Leads => "1 while this process leads the shard, and otherwise 0.",
            }
        }
    }

    pub(in super::super) fn describe() {
        for count in COUNTS {
            describe_counter!(count.name(), Unit::Count, count.help());
        }
        for gauge in GAUGES {
            describe_gauge!(gauge.name(), gauge.unit(), gauge.help());
        }
    }

    impl Labels {
        pub(in super::super) fn count(&self, count: Count, number: u64) {
            let (projection, shard) = (self.projection.clone(), self.shard.clone());
            counter!(count.name(), "projection" => projection, "shard" => shard).increment(number);
        }

        pub(in super::super) fn measure(&self, measured: Gauge, value: f64) {
            let (projection, shard) = (self.projection.clone(), self.shard.clone());
            gauge!(measured.name(), "projection" => projection, "shard" => shard).set(value);
        }
    }
}

#[cfg(feature = "metrics")]
pub(super) use told::describe;

#[cfg(not(feature = "metrics"))]
pub(super) fn describe() {}

#[cfg(not(feature = "metrics"))]
impl Labels {
    pub(super) fn count(&self, _: Count, _: u64) {
        let _ = (&self.projection, &self.shard);
    }

    pub(super) fn measure(&self, _: Gauge, _: f64) {}
}
