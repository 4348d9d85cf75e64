//! What a stream adds up to.

use crate::{Envelope, Event, Result};

/// A state that is folded from the events of one stream.
///
/// ```
/// use ermine_core::{Aggregate, Envelope, Event, Result};
///
/// struct Account { balance: i64 }
///
/// # struct Deposited { amount: i64 }
/// # impl Event for Deposited {
/// #     fn event_types() -> &'static [&'static str] { &["deposited"] }
/// #     fn event_type(&self) -> &'static str { "deposited" }
/// #     fn to_data(&self) -> Result<String> { Ok(self.amount.to_string()) }
/// #     fn from_data(_: &str, data: &str) -> Result<Self> { Ok(Self { amount: data.parse().unwrap_or(0) }) }
/// # }
/// impl Aggregate for Account {
///     type Event = Deposited;
///
///     fn fold(state: Option<Self>, event: &Envelope<Deposited>) -> Result<Option<Self>> {
///         let before = state.map_or(0, |account| account.balance);
///         Ok(Some(Account { balance: before + event.data.amount }))
///     }
/// }
/// ```
pub trait Aggregate: Sized + Send + Sync + 'static {
    /// The events it folds. Those of other types in its streams pass it by.
    type Event: Event;

    /// The state after `event`. `None` before it: there was nothing yet, or nothing
    /// any more; `None` after it: there is nothing now.
    ///
    /// # Errors
    ///
    /// Whatever keeps the event from being applied; it is never skipped for that (rule P3).
    fn fold(state: Option<Self>, event: &Envelope<Self::Event>) -> Result<Option<Self>>;
}
