//! Streams and events as they are stored: the same tables, and the same values in them, on
//! every database.
//!
//! ```
//! use ermine_core::StreamId;
//! use ermine_sql::events::{stored_stream, stream};
//!
//! let pool = StreamId::text("pool")?;
//! let (kind, id) = stored_stream(&pool);
//! assert_eq!((kind, id.as_str()), ("text", "pool"));
//! assert_eq!(stream(kind, id), Some(pool));
//! # Ok::<(), ermine_core::Error>(())
//! ```

use ermine_core::{Error, ErrorKind, Id, Position, Result, StreamId, TenantId, Timestamp};
use uuid::Uuid;

/// What is read of an event `e` and its stream `s`.
pub const SELECT: &str = "\
SELECT e.position, s.tenant, s.kind, s.id, e.version, e.id, e.type, e.at, e.correlation, e.causation, e.headers, e.data";

/// Where they are read from.
pub const FROM: &str = "FROM ermine_events AS e JOIN ermine_streams AS s ON s.stream = e.stream";

/// A stream's id as it is stored: its kind, and its text.
pub fn stored_stream(stream: &StreamId) -> (&'static str, String) {
    match Id::from(stream.clone()) {
        Id::Uuid(id) => ("uuid", id.hyphenated().to_string()),
        other => ("text", other.to_string()),
    }
}

/// A stream's id back from its stored form; `None` where that is none.
pub fn stream(kind: &str, id: String) -> Option<StreamId> {
    match kind {
        "uuid" => Uuid::try_parse(&id).ok().map(StreamId::from),
        _ => StreamId::text(id).ok(),
    }
}

/// A number that is never negative, as a database has it; none there can be larger.
pub fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A position back from its stored form.
pub fn position(stored: i64) -> Position {
    Position::at(stored.cast_unsigned())
}

/// A time back from its stored form, in microseconds.
///
/// # Errors
///
/// `Corrupt` where it is none.
pub fn timestamp(micros: i64) -> Result<Timestamp> {
    Timestamp::from_unix_micros(micros).map_err(|e| corrupt("time").with_source(e))
}

/// A tenant back from its stored form, in which nobody is the empty text.
///
/// # Errors
///
/// `Corrupt` where it is none.
pub fn tenant(text: String) -> Result<Option<TenantId>> {
    if text.is_empty() {
        return Ok(None);
    }
    let tenant = TenantId::new(text).map_err(|e| corrupt("tenant").with_source(e))?;
    Ok(Some(tenant))
}

fn corrupt(what: &str) -> Error {
    Error::new(
        ErrorKind::Corrupt,
        format!("a stored {what} of an event is none; was a table changed by hand?"),
    )
}
