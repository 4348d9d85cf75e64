//! Writing events.

use super::StreamState;
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
    /// There, and neither archived nor removed; else the unit fails with `Archived`.
    Open,
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
    /// Judges a stream as it is found inside the transaction (rule E1), and returns the
    /// version its next event follows. For stores: one meaning for all of them.
    ///
    /// # Errors
    ///
    /// `AlreadyExists` or `Conflict` where the stream is not what is expected, and
    /// `Archived` where events are to be appended to one that takes none.
    pub fn judge(&self, found: Option<&StreamState>) -> Result<u64> {
        let version = found.map_or(0, |state| state.version);
        let refuse = |kind, problem: String| {
            let tenant = self.tenant.as_ref();
            let tenant = tenant.map_or_else(String::new, |tenant| format!(" of tenant `{tenant}`"));
            let message = format!("stream {}{tenant} {problem}", self.stream);
            Err(Error::new(kind, message))
        };
        if !self.events.is_empty() && found.is_some_and(|state| state.archived) {
            return refuse(
                ErrorKind::Archived,
                "is archived and takes no more events; begin another".to_owned(),
            );
        }
        match self.expected {
            Expected::Missing if found.is_some() => refuse(
                ErrorKind::AlreadyExists,
                format!("exists already, at version {version}; append to it, or begin another"),
            ),
            Expected::Open if found.is_none_or(|state| state.archived) => refuse(
                ErrorKind::Archived,
                "is archived or removed, and was expected to be neither".to_owned(),
            ),
            Expected::Version(expected) if expected != version => refuse(
                ErrorKind::Conflict,
                format!(
                    "was expected at version {expected} and is at version {version}; read it again, decide again and append again"
                ),
            ),
            _ => Ok(version),
        }
    }

    pub(crate) fn check(&self) -> Result<()> {
        self.events.iter().try_for_each(|event| {
            let headers = event.headers.iter().flat_map(|(name, value)| [name, value]);
            let texts = [&event.event_type, &event.data].into_iter();
            let ids = event.correlation.iter().chain(&event.causation);
            let mut texts = texts.chain(headers).chain(ids);
            refuse_nul(
                texts
                    .any(|text| text.contains('\0'))
                    .then_some(&self.stream),
            )
        })
    }
}

impl Mask {
    pub(crate) fn check(&self) -> Result<()> {
        let mut texts = self.data.iter();
        refuse_nul(
            texts
                .any(|(_, text)| text.contains('\0'))
                .then_some(&self.stream),
        )
    }
}

/// Refuses a stream's event that holds U+0000 (rule T10).
fn refuse_nul(holder: Option<&StreamId>) -> Result<()> {
    holder.map_or(Ok(()), |stream| {
        Err(Error::new(
            ErrorKind::InvalidValue,
            format!("an event for stream {stream} holds U+0000, which is not stored; remove it"),
        ))
    })
}
