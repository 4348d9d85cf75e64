//! Appending events, and removing what they said.

use ermine_core::{Aggregate, Backend, Event, EventStorage, Expected, Result, StreamId};

use super::Session;
use crate::events::{AggregateStream, ToEvent, ToStreamId, new_event};

/// Events. A unit's events, documents and inline snapshots are written together,
/// or nothing is (rule E3); the token of a commit carries the position of its
/// last event.
impl<B: Backend> Session<B>
where
    B::Store: EventStorage,
{
    /// Opens a stream with events; commit fails with `AlreadyExists` where the
    /// stream exists (rule E1).
    pub fn start<T: ToEvent>(
        &mut self,
        stream: impl ToStreamId,
        events: impl IntoIterator<Item = T>,
    ) {
        self.record_append(stream.to_stream_id(), Expected::Missing, events);
    }

    /// Appends events to a stream, which is made where it does not exist.
    ///
    /// Each is an [`Event`] as it is, or in an [`EventBuilder`](crate::EventBuilder)
    /// that says more about it. They happened when they are recorded here, unless
    /// the builder says otherwise.
    pub fn append<T: ToEvent>(
        &mut self,
        stream: impl ToStreamId,
        events: impl IntoIterator<Item = T>,
    ) {
        self.record_append(stream.to_stream_id(), Expected::Any, events);
    }

    /// Appends events to a stream that is at `version`, 0 for one that does not
    /// exist; commit fails with `Conflict` where it is not, and tells the version
    /// expected and the one found. Without events that alone is judged.
    pub fn append_expecting<T: ToEvent>(
        &mut self,
        stream: impl ToStreamId,
        version: u64,
        events: impl IntoIterator<Item = T>,
    ) {
        self.record_append(stream.to_stream_id(), Expected::Version(version), events);
    }

    /// What a stream adds up to now, and the right to append to it as long as
    /// that is so: to decide from what there is, and have nobody come in between.
    ///
    /// ```
    /// # use ermine_compliance::Reference;
    /// # use ermine_core::{Aggregate, Envelope, Result};
    /// # use ermine_macros::Event;
    /// # use ermine_store::Store;
    /// # use serde::{Deserialize, Serialize};
    /// #[derive(Event, Serialize, Deserialize)]
    /// # #[event(crate = "ermine_core")]
    /// enum AccountEvent { Deposited(i64), Withdrawn(i64) }
    ///
    /// struct Account { balance: i64 }
    ///
    /// impl Aggregate for Account {
    ///     type Event = AccountEvent;
    ///
    ///     fn fold(state: Option<Self>, event: &Envelope<AccountEvent>) -> Result<Option<Self>> {
    ///         let before = state.map_or(0, |account| account.balance);
    ///         let balance = match event.data {
    ///             AccountEvent::Deposited(amount) => before + amount,
    ///             AccountEvent::Withdrawn(amount) => before - amount,
    ///         };
    ///         Ok(Some(Self { balance }))
    ///     }
    /// }
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// # let store = Store::builder(Reference::new()).events::<AccountEvent>().open().await?;
    /// # let (mut one, mut other) = (store.session_without_tenant(), store.session_without_tenant());
    /// # one.start("account-1", [AccountEvent::Deposited(10)]);
    /// # one.commit().await?;
    /// let mut account = one.fetch_for_writing::<Account>("account-1").await?;
    /// let balance = account.state().map_or(0, |account| account.balance);
    /// assert_eq!((balance, account.version()), (10, 1));
    /// account.append(&mut one, [AccountEvent::Withdrawn(balance)]);
    ///
    /// other.append("account-1", [AccountEvent::Withdrawn(10)]); // meanwhile
    /// other.commit().await?;
    /// assert!(one.commit().await.unwrap_err().is_conflict()); // read again, decide again
    /// # Ok::<(), ermine_core::Error>(()) }).unwrap();
    /// ```
    ///
    /// # Errors
    ///
    /// `UnknownCollection` where the store was not told of the events that `A`
    /// folds, `Body` where one cannot be read, and what the fold returns.
    pub async fn fetch_for_writing<A: Aggregate>(
        &self,
        stream: impl ToStreamId,
    ) -> Result<AggregateStream<A>> {
        let stream = stream.to_stream_id();
        AggregateStream::fetch(self.context(), stream).await
    }

    /// Takes a stream out of what readers of all events see, and closes it to
    /// appends. It can still be read by its id, and its snapshot stays. Of a
    /// missing one, nothing happens.
    pub fn archive(&mut self, stream: impl ToStreamId) {
        self.unit
            .archive(self.reader.context(), stream.to_stream_id());
    }

    /// Removes every event of a stream for good, and in the same unit its
    /// snapshots and what projections made of it (rule P15). Its name stays taken:
    /// nothing is appended to it again. Of a missing one, nothing happens.
    pub fn tombstone(&mut self, stream: impl ToStreamId) {
        self.unit
            .tombstone(self.reader.context(), stream.to_stream_id());
    }

    /// Puts another event of the same type in the place of the one that a stream
    /// has at `version`, which is gone for good; commit fails with `Missing`
    /// where the stream has none there.
    ///
    /// In the same unit its snapshots are folded anew, and what projections made
    /// of the stream is removed, so that nothing finds the old text when that
    /// commits (rule P15). They make it anew from what is left: for that, an event
    /// of the type `ermine.masked` is appended to the stream. A stream that is
    /// archived gets none, and its snapshots are removed.
    ///
    /// An event stored under an old name is not of the type that it is upcast to:
    /// [`mask_data`](Self::mask_data) replaces it in its own shape.
    pub fn mask<E: Event>(&mut self, stream: impl ToStreamId, version: u64, event: &E) {
        self.unit.mask(
            self.reader.context(),
            stream.to_stream_id(),
            version,
            event.to_data(),
            Some(event.event_type()),
        );
    }

    /// [`mask`](Self::mask), by the JSON text that takes the place of the event's
    /// data. It is in the shape of the name that the event is stored under; commit
    /// refuses with `InvalidValue` what cannot be read, upcast as ever.
    pub fn mask_data(&mut self, stream: impl ToStreamId, version: u64, data: impl Into<String>) {
        self.unit.mask(
            self.reader.context(),
            stream.to_stream_id(),
            version,
            Ok(data.into()),
            None,
        );
    }

    /// What the events recorded from now on belong to: the same for everything
    /// that one request caused.
    pub fn correlation(&mut self, correlation: impl Into<String>) -> &mut Self {
        self.metadata.correlation = Some(correlation.into());
        self
    }

    /// What caused the events recorded from now on.
    pub fn causation(&mut self, causation: impl Into<String>) -> &mut Self {
        self.metadata.causation = Some(causation.into());
        self
    }

    /// Says something else about the events recorded from now on.
    pub fn header(&mut self, name: impl Into<String>, value: impl Into<String>) -> &mut Self {
        self.metadata.headers.insert(name.into(), value.into());
        self
    }

    /// Records an append, and returns how many events it has.
    pub(crate) fn record_append<T: ToEvent>(
        &mut self,
        stream: Result<StreamId>,
        expected: Expected,
        events: impl IntoIterator<Item = T>,
    ) -> u64 {
        let types = &self.reader.context().runtime.events.types;
        let events = types.require::<T::Event>().and_then(|()| {
            let events = events.into_iter();
            events
                .map(|event| new_event(event.to_event(), &self.metadata))
                .collect::<Result<Vec<_>>>()
        });
        let count = events.as_ref().map_or(0, |events| events.len() as u64);
        self.unit
            .append(self.reader.context(), stream, expected, events);
        count
    }
}
