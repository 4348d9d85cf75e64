//! UTC timestamps to the microsecond.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use time::macros::{datetime, format_description};

use crate::{Error, ErrorKind, Result};

/// A point in time: UTC, microseconds, years 0 to 9999.
///
/// Its text form has a fixed width, so that the order of the texts is the order
/// of the times. Finer input is refused rather than rounded.
///
/// ```
/// use ermine_core::Timestamp;
///
/// let at: Timestamp = "2026-11-30T21:18:12.5+01:00".parse()?;
/// assert_eq!(at.to_string(), "2026-11-30T20:18:12.500000Z");
/// assert!("2026-11-30T21:18:12.1234567Z".parse::<Timestamp>().is_err());
/// # Ok::<(), ermine_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Timestamp(i64);

const FIRST: i64 = datetime!(0000-01-01 0:00 UTC).unix_timestamp() * 1_000_000;
const LAST: i64 = datetime!(9999-12-31 23:59:59 UTC).unix_timestamp() * 1_000_000 + 999_999;

impl Timestamp {
    /// The time `micros` microseconds after 1970-01-01T00:00:00Z; refused outside years 0 to 9999.
    ///
    /// # Errors
    ///
    /// `InvalidValue`.
    pub fn from_unix_micros(micros: i64) -> Result<Self> {
        if (FIRST..=LAST).contains(&micros) {
            Ok(Self(micros))
        } else {
            Err(invalid(format!(
                "{micros} µs since 1970 is outside the years 0 to 9999"
            )))
        }
    }

    /// Microseconds since 1970-01-01T00:00:00Z.
    pub fn unix_micros(self) -> i64 {
        self.0
    }

    /// The present, rounded down to a microsecond.
    pub fn now() -> Self {
        let micros = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |d| i64::try_from(d.as_micros()).unwrap_or(LAST));
        Self(micros.min(LAST))
    }

    /// The time `later` after this one, to the microsecond; the last there is where
    /// that is past the year 9999.
    #[must_use]
    pub fn saturating_add(self, later: Duration) -> Self {
        let micros = i64::try_from(later.as_micros()).unwrap_or(LAST);
        Self(self.0.saturating_add(micros).min(LAST))
    }

    /// How long it is since `earlier`; zero where that is not earlier.
    pub fn saturating_since(self, earlier: Self) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

impl TryFrom<OffsetDateTime> for Timestamp {
    type Error = Error;
    fn try_from(at: OffsetDateTime) -> Result<Self> {
        let nanos = at.unix_timestamp_nanos();
        if nanos.rem_euclid(1_000) != 0 {
            return Err(invalid(format!(
                "{at} is finer than a microsecond; round it first"
            )));
        }
        i64::try_from(nanos.div_euclid(1_000))
            .map_err(|_| invalid(format!("{at} is outside the years 0 to 9999")))
            .and_then(Self::from_unix_micros)
    }
}

impl From<Timestamp> for OffsetDateTime {
    fn from(at: Timestamp) -> Self {
        // The range was checked when the value was made.
        Self::from_unix_timestamp_nanos(i128::from(at.0) * 1_000).unwrap_or(Self::UNIX_EPOCH)
    }
}

impl FromStr for Timestamp {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let at = OffsetDateTime::parse(text, &Rfc3339).map_err(|e| {
            invalid(format!(
                "{text:?} is not a timestamp; write it like 2026-11-30T21:18:12Z"
            ))
            .with_source(e)
        })?;
        Self::try_from(at)
    }
}

impl TryFrom<String> for Timestamp {
    type Error = Error;
    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<Timestamp> for String {
    fn from(at: Timestamp) -> Self {
        at.to_string()
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let format = format_description!(
            "[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:6]Z"
        );
        let text = OffsetDateTime::from(*self)
            .format(format)
            .map_err(|_| fmt::Error)?;
        f.write_str(&text)
    }
}

fn invalid(message: String) -> Error {
    Error::new(ErrorKind::InvalidValue, message)
}
