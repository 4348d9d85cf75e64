//! Live aggregation: what a stream's events add up to.

use crate::{Aggregate, Error, ErrorKind, Event, Result, StoredEvent};

/// An aggregate while it is folded, a page of its stream at a time (rule E4).
///
/// ```
/// use ermine_core::{Aggregate, Fold};
/// # use ermine_core::{Envelope, Event, NewEvent, Position, Result, StoredEvent, StreamId, Timestamp, new_id};
/// # struct Deposited(i64);
/// # impl Event for Deposited {
/// #     fn event_types() -> &'static [&'static str] { &["deposited"] }
/// #     fn event_type(&self) -> &'static str { "deposited" }
/// #     fn to_data(&self) -> Result<String> { Ok(self.0.to_string()) }
/// #     fn from_data(_: &str, data: &str) -> Result<Self> { Ok(Self(data.parse().unwrap_or(0))) }
/// # }
/// # struct Account { balance: i64 }
/// # impl Aggregate for Account {
/// #     type Event = Deposited;
/// #     fn fold(state: Option<Self>, event: &Envelope<Deposited>) -> Result<Option<Self>> {
/// #         let before = state.map_or(0, |account| account.balance);
/// #         Ok(Some(Account { balance: before + event.data.0 }))
/// #     }
/// # }
/// # let stored = |version: u64, data: &str| StoredEvent {
/// #     tenant: None, stream: StreamId::text("account").unwrap(), version, position: Position::at(version),
/// #     event: NewEvent { id: new_id(), event_type: "deposited".into(), at: Timestamp::now(), correlation: None,
/// #         causation: None, headers: Default::default(), data: data.into() },
/// # };
/// # let pages = [vec![stored(1, "5"), stored(2, "7")], vec![stored(3, "30")]];
/// let mut fold = Fold::<Account>::new();
/// for page in pages {
///     for event in &page {
///         fold.push(event)?;
///     }
/// }
/// assert_eq!(fold.version(), 3);
/// assert_eq!(fold.into_state().map(|account| account.balance), Some(42));
/// # Ok::<(), ermine_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Fold<A> {
    state: Option<A>,
    version: u64,
}

impl<A: Aggregate> Fold<A> {
    /// Before the first event.
    pub fn new() -> Self {
        Self {
            state: None,
            version: 0,
        }
    }

    /// From a state that holds the events up to `version`: a snapshot.
    pub fn from_snapshot(state: Option<A>, version: u64) -> Self {
        Self { state, version }
    }

    /// Folds the stream's next event; one of a type that `A` does not fold only counts.
    ///
    /// # Errors
    ///
    /// Where the version is not the next one, where the data cannot be read, and what
    /// the aggregate's own fold returns. What was folded so far is lost to that.
    pub fn push(&mut self, event: &StoredEvent) -> Result<()> {
        let StoredEvent {
            stream, version, ..
        } = event;
        if *version != self.version.saturating_add(1) {
            return Err(Error::new(
                ErrorKind::InvalidValue,
                format!(
                    "stream {stream} is folded in order: event {version} comes after event {}",
                    self.version
                ),
            ));
        }
        let event_type = event.event.event_type.as_str();
        if A::Event::event_types().contains(&event_type) {
            let envelope = event.envelope(event.read::<A::Event>()?);
            self.state = A::fold(self.state.take(), &envelope).map_err(|e| {
                e.in_context(format_args!(
                    "folding event {version} of stream {stream}, a {event_type:?}"
                ))
            })?;
        }
        self.version = *version;
        Ok(())
    }

    /// The version of the last event.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// What there is after the last event.
    pub fn state(&self) -> Option<&A> {
        self.state.as_ref()
    }

    /// What there is after the last event.
    pub fn into_state(self) -> Option<A> {
        self.state
    }
}

impl<A: Aggregate> Default for Fold<A> {
    fn default() -> Self {
        Self::new()
    }
}

/// What a stream was at `version`, by a live fold over its events from the first
/// (rule E4). Events after `version` are not looked at, and a stream that ends
/// before it is folded to its end.
///
/// # Errors
///
/// As [`Fold::push`].
pub fn fold_to<'a, A: Aggregate>(
    events: impl IntoIterator<Item = &'a StoredEvent>,
    version: u64,
) -> Result<Option<A>> {
    let mut fold = Fold::new();
    for event in events {
        if event.version > version {
            break;
        }
        fold.push(event)?;
    }
    Ok(fold.into_state())
}
