//! What may be given where an id is wanted.

use ermine_core::{DocumentId, Id};
use uuid::Uuid;

/// An id of type `I`, however it is at hand: itself, a reference to it, `&str`
/// for a text id, and any of the four kinds for a type made at run time.
pub trait ToId<I> {
    /// The id as a value.
    fn to_id(self) -> Id;
}

impl<I: DocumentId> ToId<I> for I {
    fn to_id(self) -> Id {
        DocumentId::to_id(&self)
    }
}

impl<I: DocumentId> ToId<I> for &I {
    fn to_id(self) -> Id {
        DocumentId::to_id(self)
    }
}

impl ToId<String> for &str {
    fn to_id(self) -> Id {
        Id::from(self)
    }
}

macro_rules! dynamic {
    ($($kind:ty),*) => {$(
        impl ToId<Id> for $kind {
            fn to_id(self) -> Id {
                Id::from(self)
            }
        }
    )*};
}

dynamic!(&str, String, Uuid, i64, u64);
