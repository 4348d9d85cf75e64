//! What may be given where a stream is wanted.

use ermine_core::{Id, Result, StreamId};
use uuid::Uuid;

/// A stream's id, however it is at hand: a UUID, a text, or itself.
///
/// A text that names no stream (an empty one) is reported as other mistakes are:
/// by commit, or by the read.
pub trait ToStreamId {
    /// The id.
    ///
    /// # Errors
    ///
    /// `InvalidValue` for a text that names no stream, `TypeMismatch` for a number.
    fn to_stream_id(self) -> Result<StreamId>;
}

impl ToStreamId for StreamId {
    fn to_stream_id(self) -> Result<StreamId> {
        Ok(self)
    }
}

impl ToStreamId for &StreamId {
    fn to_stream_id(self) -> Result<StreamId> {
        Ok(self.clone())
    }
}

impl ToStreamId for Uuid {
    fn to_stream_id(self) -> Result<StreamId> {
        Ok(self.into())
    }
}

impl ToStreamId for &Uuid {
    fn to_stream_id(self) -> Result<StreamId> {
        Ok((*self).into())
    }
}

impl ToStreamId for &str {
    fn to_stream_id(self) -> Result<StreamId> {
        StreamId::text(self)
    }
}

impl ToStreamId for String {
    fn to_stream_id(self) -> Result<StreamId> {
        StreamId::text(self)
    }
}

impl ToStreamId for &String {
    fn to_stream_id(self) -> Result<StreamId> {
        StreamId::text(self.as_str())
    }
}

impl ToStreamId for Id {
    fn to_stream_id(self) -> Result<StreamId> {
        self.try_into()
    }
}
