//! Types of events: Rust types with stable names.

use std::fmt;

use crate::{Error, ErrorKind, Result, StoredEvent};

/// A type whose values are events: what `#[derive(Event)]` makes of an enum, whose
/// every variant is an event type, or of a struct, which is one.
///
/// The names are what is stored. They are declared and do not follow a Rust type
/// that is renamed; two types of one name are refused when a store is opened (rule E2).
pub trait Event: Sized + Send + Sync + 'static {
    /// The names of its event types, in the order of the variants.
    fn event_types() -> &'static [&'static str];

    /// The name of this one's type.
    fn event_type(&self) -> &'static str;

    /// The JSON text that is stored, without the name.
    fn to_data(&self) -> Result<String>;

    /// It, back from what is stored under `event_type`.
    fn from_data(event_type: &str, data: &str) -> Result<Self>;
}

/// One event type, and what its data is read as.
///
/// `T` is the struct where an enum's variant holds just that, and otherwise the
/// type that derives [`Event`].
pub struct EventType<T> {
    name: &'static str,
    read: fn(&str) -> Result<T>,
}

impl<T> EventType<T> {
    /// The type named `name`, whose data `read` reads. Derived code calls this.
    pub const fn new(name: &'static str, read: fn(&str) -> Result<T>) -> Self {
        Self { name, read }
    }

    /// The declared name.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Reads an event's data.
    ///
    /// # Errors
    ///
    /// `Body`, naming the stream and the version, where the data does not fit (rule D8).
    pub fn read(self, event: &StoredEvent) -> Result<T> {
        (self.read)(&event.event.data).map_err(|e| event.unreadable(e))
    }
}

impl StoredEvent {
    /// Reads the data as an `E`.
    ///
    /// # Errors
    ///
    /// `Body`, naming the stream and the version, where the data does not fit (rule D8).
    pub fn read<E: Event>(&self) -> Result<E> {
        E::from_data(&self.event.event_type, &self.event.data).map_err(|e| self.unreadable(e))
    }

    fn unreadable(&self, cause: Error) -> Error {
        let Self {
            stream, version, ..
        } = self;
        Error::new(
            ErrorKind::Body,
            format!(
                "event {version} of stream {stream}, a {:?} at position {}, cannot be read; register an upcaster for what older versions wrote",
                self.event.event_type, self.position
            ),
        )
        .with_source(cause)
    }
}

impl<T> Clone for EventType<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for EventType<T> {}

impl<T> fmt::Debug for EventType<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EventType({})", self.name)
    }
}
