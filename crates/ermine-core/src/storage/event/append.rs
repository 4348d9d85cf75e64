//! Writing events.

use crate::{Error, ErrorKind, NewEvent, Result, StreamId, TenantId};

/// Appends events to a stream, or opens it with them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Append {
    /// Whose stream; `None` for the streams of no tenant.
    pub tenant: Option<TenantId>,
    /// The stream.
    pub stream: StreamId,
    /// What the stream must be like, judged inside the transaction (rule E1).
    pub expected: Expected,
    /// The events, in order. None: the expectation alone is judged.
    pub events: Vec<NewEvent>,
}

/// What a stream must be like when events are appended to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Expected {
    /// Anything; a missing stream is made.
    Any,
    /// Missing; else the unit fails with `AlreadyExists`.
    Missing,
    /// At this version exactly, 0 for a missing one; else the unit fails with
    /// `Conflict`, whose message has the version expected and the one found.
    Version(u64),
}

/// Replaces the data of events that are stored (rule P15).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mask {
    /// Whose stream; `None` for the streams of no tenant.
    pub tenant: Option<TenantId>,
    /// The stream.
    pub stream: StreamId,
    /// The versions, and the JSON text that takes the place of what each holds.
    pub data: Vec<(u64, String)>,
}

impl Append {
    pub(crate) fn check(&self) -> Result<()> {
        self.events.iter().try_for_each(|event| {
            let headers = event.headers.iter().flat_map(|(name, value)| [name, value]);
            let texts = [&event.event_type, &event.data].into_iter();
            let ids = event.correlation.iter().chain(&event.causation);
            if texts
                .chain(headers)
                .chain(ids)
                .any(|text| text.contains('\0'))
            {
                return Err(Error::new(
                    ErrorKind::InvalidValue,
                    format!(
                        "an event {:?} for stream {} holds U+0000, which is not stored",
                        event.event_type, self.stream
                    ),
                ));
            }
            Ok(())
        })
    }
}
