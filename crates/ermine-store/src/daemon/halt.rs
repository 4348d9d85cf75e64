//! Why a shard does not go on with what it was doing.

use ermine_core::{Error, ErrorKind};

/// Why a page is not applied.
#[derive(Debug)]
pub(super) enum Halt {
    /// Another runner has the shard.
    Superseded,
    /// It is to stand still until somebody deals with the reason.
    Pause(Error),
    /// A stream was closed meanwhile: the page is to be read again.
    Reload,
    /// The store failed: the same may succeed later.
    Failed(Error),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        match error.kind() {
            ErrorKind::Superseded => Self::Superseded,
            ErrorKind::Archived => Self::Reload,
            _ if error.is_refusal() => Self::Pause(error),
            _ => Self::Failed(error),
        }
    }
}

impl Halt {
    /// As an error, for a caller who asked for the work.
    pub(super) fn into_error(self, shard: &ermine_core::ShardName) -> Error {
        match self {
            Self::Superseded => Error::new(
                ErrorKind::Superseded,
                format!("another runner has shard `{shard}`; try again"),
            ),
            Self::Reload => Error::new(
                ErrorKind::Conflict,
                format!("streams that shard `{shard}` follows were closed meanwhile; try again"),
            ),
            Self::Pause(error) | Self::Failed(error) => error,
        }
    }
}
