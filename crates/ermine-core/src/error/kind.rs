//! The kinds of failure a caller can tell apart.

/// What kind of thing went wrong.
///
/// Kinds are for deciding what to do next; the message is for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A document type is declared in a way that no store accepts.
    Declaration,
    /// What is stored differs from what is declared.
    SchemaMismatch,
    /// The vectors were made by another model than the one declared.
    ModelMismatch,
    /// The store was not told of this document type, or event type.
    UnknownCollection,
    /// The document type has no such field.
    UnknownField,
    /// The field exists but carries no index of the kind this call needs.
    NotIndexed,
    /// A value is not of the field's type.
    TypeMismatch,
    /// A vector's length is not the declared one.
    WrongDimensions,
    /// A vector holds NaN or infinity, or is zero under cosine.
    InvalidVector,
    /// A stored string, id or other value cannot be kept as it is.
    InvalidValue,
    /// An option is out of range, or two options contradict each other.
    InvalidOption,
    /// The store, or this version, does not do what was asked.
    Unsupported,
    /// Text was given where only a vector can be searched, and no provider is set.
    NoProvider,
    /// The call needs a tenant, must not have one, or crosses tenants.
    Tenancy,
    /// A document with this id exists already.
    AlreadyExists,
    /// No document with this id exists.
    Missing,
    /// Another writer changed what this write rests on.
    Conflict,
    /// A vector to be kept is no longer the one whose hash was read.
    KeptVectorChanged,
    /// Another runner has the shard: what this one still writes is refused.
    Superseded,
    /// The stream is archived or removed: nothing is appended to it.
    Archived,
    /// A stored document does not deserialise into its type.
    Body,
    /// Stored bytes are not what Ermine wrote.
    Corrupt,
    /// The embedding provider failed or broke its contract.
    Provider,
    /// The embedding provider refuses a text for good: it is too long, or not allowed.
    RejectedText,
    /// A projection stands still until somebody deals with the reason.
    Paused,
    /// Code of the application's that Ermine called, a selector or a fold, panicked.
    Panicked,
    /// The database reported an error.
    Storage,
    /// The database is locked by somebody else; try again.
    Busy,
    /// The call did not finish in the time it was given.
    Timeout,
    /// The connection died at commit: the unit may or may not be stored.
    OutcomeUnknown,
    /// The store has been closed.
    Closed,
}

impl ErrorKind {
    pub(super) fn is_refusal(self) -> bool {
        matches!(
            self,
            Self::Declaration
                | Self::SchemaMismatch
                | Self::ModelMismatch
                | Self::UnknownCollection
                | Self::UnknownField
                | Self::NotIndexed
                | Self::TypeMismatch
                | Self::WrongDimensions
                | Self::InvalidVector
                | Self::InvalidValue
                | Self::InvalidOption
                | Self::Unsupported
                | Self::NoProvider
                | Self::Tenancy
        )
    }
}
